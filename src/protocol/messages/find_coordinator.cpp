#include "protocol/messages/find_coordinator.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::find_coordinator_request>;
template struct message_codec<messages::find_coordinator_response>;

}  // namespace strandline::protocol
