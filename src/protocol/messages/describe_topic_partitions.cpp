#include "protocol/messages/describe_topic_partitions.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::describe_topic_partitions_request>;
template struct message_codec<messages::describe_topic_partitions_response>;

}  // namespace strandline::protocol
