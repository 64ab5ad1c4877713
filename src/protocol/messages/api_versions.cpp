#include "protocol/messages/api_versions.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::api_versions_request>;
template struct message_codec<messages::api_versions_response>;

}  // namespace strandline::protocol
