#include "protocol/messages/describe_configs.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::describe_configs_request>;
template struct message_codec<messages::describe_configs_response>;

}  // namespace strandline::protocol
