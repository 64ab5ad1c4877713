#include "protocol/messages/offset_fetch.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::offset_fetch_request>;
template struct message_codec<messages::offset_fetch_response>;

}  // namespace strandline::protocol
