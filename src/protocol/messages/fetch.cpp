#include "protocol/messages/fetch.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::fetch_request>;
template struct message_codec<messages::fetch_response>;

}  // namespace strandline::protocol
