#include "protocol/messages/consumer_group_heartbeat.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::consumer_group_heartbeat_request>;
template struct message_codec<messages::consumer_group_heartbeat_response>;

}  // namespace strandline::protocol
