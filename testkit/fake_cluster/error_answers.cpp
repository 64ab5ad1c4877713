#include "testkit/fake_cluster/error_answers.hpp"

#include "testkit/fake_cluster/handlers.hpp"

namespace strandline::testkit::fake {

std::optional<any_response> error_answer(const protocol::request_header& header, const base::shared_bytes& body,
                                         protocol::broker_error error) {
    const auto* handler = find_handler(header.api_key);
    return handler ? handler->fail(body, header.api_version, error) : std::nullopt;
}

}  // namespace strandline::testkit::fake
