#include "protocol/messages/incremental_alter_configs.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::incremental_alter_configs_request>;
template struct message_codec<messages::incremental_alter_configs_response>;

}  // namespace strandline::protocol
