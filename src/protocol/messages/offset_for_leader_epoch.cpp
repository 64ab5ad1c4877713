#include "protocol/messages/offset_for_leader_epoch.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::offset_for_leader_epoch_request>;
template struct message_codec<messages::offset_for_leader_epoch_response>;

}  // namespace strandline::protocol
