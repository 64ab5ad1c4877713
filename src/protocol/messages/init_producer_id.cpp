#include "protocol/messages/init_producer_id.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::init_producer_id_request>;
template struct message_codec<messages::init_producer_id_response>;

}  // namespace strandline::protocol
