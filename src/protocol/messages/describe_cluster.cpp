#include "protocol/messages/describe_cluster.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::describe_cluster_request>;
template struct message_codec<messages::describe_cluster_response>;

}  // namespace strandline::protocol
