#include "protocol/messages/produce.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::produce_request>;
template struct message_codec<messages::produce_response>;

}  // namespace strandline::protocol
