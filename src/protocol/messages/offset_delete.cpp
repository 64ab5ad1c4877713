#include "protocol/messages/offset_delete.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::offset_delete_request>;
template struct message_codec<messages::offset_delete_response>;

}  // namespace strandline::protocol
