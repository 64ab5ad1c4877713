// EndTxn (26), versions 0 to 5. 2 answers PRODUCER_FENCED; 5 gives the producer a new epoch with each transaction
// (KIP-890).
#include "testkit/fake_cluster/group_check.hpp"
#include "testkit/fake_cluster/handlers.hpp"
#include "testkit/fake_cluster/transaction_coordinator.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

reply handle(const messages::end_txn_request& request, call& call) {
    messages::end_txn_response response;
    response.error_code = check_coordinator(call, request.transactional_id);
    if (response.error_code != broker_error::none) return reply::now(std::move(response));
    const auto ended =
        call.all.transactions.end(request.transactional_id, request.producer_id.value(), request.producer_epoch,
                                  request.committed, call.version() >= 5, call.wall);
    const bool older = call.version() < 2 && ended.error == broker_error::producer_fenced;
    response.error_code = older ? broker_error::invalid_producer_epoch : ended.error;
    if (call.version() >= 5) {
        response.producer_id = protocol::producer_id(ended.producer_id);
        response.producer_epoch = ended.producer_epoch;
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
