#include "protocol/messages/describe_groups.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::describe_groups_request>;
template struct message_codec<messages::describe_groups_response>;

}  // namespace strandline::protocol
