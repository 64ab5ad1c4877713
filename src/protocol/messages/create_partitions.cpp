#include "protocol/messages/create_partitions.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::create_partitions_request>;
template struct message_codec<messages::create_partitions_response>;

}  // namespace strandline::protocol
