#include "protocol/messages/list_offsets.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::list_offsets_request>;
template struct message_codec<messages::list_offsets_response>;

}  // namespace strandline::protocol
