#include "checkpoint_message.h"

#include <capnp/message.h>

#include <algorithm>
#include <cstring>

#include "checkpoint.capnp.h"
#include "libtrace-read/core/src/base/capnp_decode.h"

namespace evt {
namespace {

constexpr int kNesting = 8;
// What each takes in a message (checkpoint.capnp), without what its pointers lead to.
constexpr std::size_t kActorBytes = 24;
constexpr std::size_t kCheckpointBytes = 32;
constexpr std::size_t kSessionBytes = 56;

void write_actors(capnp::List<state::Actor>::Builder to, const std::vector<Actor>& from) {
  for (unsigned i = 0; i < from.size(); ++i) {
    state::Actor::Builder actor = to[i];
    actor.setNumber(from[i].number);
    actor.setPart(from[i].part);
    actor.setIsStream(from[i].is_stream);
    actor.setName(capnp::Text::Reader(from[i].name.data(), from[i].name.size()));
  }
}

void write_numbers(capnp::List<std::uint32_t>::Builder to, const std::vector<std::uint32_t>& from) {
  for (unsigned i = 0; i < from.size(); ++i) to.set(i, from[i]);
}

// Of what is read, each piece takes its own bytes of the message: an honest one has them. One whose lists are all of
// the same bytes, or of none, claims more.
class Claims {
 public:
  explicit Claims(std::size_t bytes) : left_(bytes) {}

  void take(std::uint64_t count, std::size_t bytes_each) {
    ok_ &= count <= left_ / bytes_each;
    if (ok_) left_ -= count * bytes_each;
  }
  bool ok() const { return ok_; }

 private:
  std::uint64_t left_;
  bool ok_ = true;
};

void read_actors(capnp::List<state::Actor>::Reader from, Claims* claims, std::vector<Actor>* to) {
  claims->take(from.size(), kActorBytes);
  if (!claims->ok()) return;
  to->reserve(from.size());
  for (const state::Actor::Reader actor : from) {
    const capnp::Text::Reader name = actor.getName();
    claims->take(name.size(), 1);
    if (!claims->ok()) return;
    to->push_back({actor.getNumber(), actor.getPart(), actor.getIsStream(), false, false, {name.begin(), name.size()}});
  }
}

void read_numbers(capnp::List<std::uint32_t>::Reader from, Claims* claims, std::vector<std::uint32_t>* to) {
  claims->take(from.size(), sizeof(std::uint32_t));
  if (!claims->ok()) return;
  to->reserve(from.size());
  for (const std::uint32_t number : from) to->push_back(number);
}

void read_checkpoints(capnp::List<state::Checkpoint>::Reader from, Claims* claims, std::vector<StoredCheckpoint>* to) {
  claims->take(from.size(), kCheckpointBytes);
  if (!claims->ok()) return;
  to->reserve(from.size());
  for (const state::Checkpoint::Reader each : from) {
    to->push_back({each.getNs(), each.getOffset(), each.getSize(), each.getWords(), each.getCrc(), each.getIsDelta()});
  }
}

void read_session(state::Session::Reader from, Claims* claims, CheckpointDirectory::OfSession* to) {
  const capnp::Data::Reader uuid = from.getUuid();
  std::copy_n(uuid.begin(), std::min(uuid.size(), to->uuid.size()), to->uuid.begin());
  to->rows = from.getRows();
  read_actors(from.getThreads(), claims, &to->threads);
  read_actors(from.getCpus(), claims, &to->cpus);
  read_numbers(from.getCellThreads(), claims, &to->cell_threads);
  read_numbers(from.getCellCpus(), claims, &to->cell_cpus);
  read_checkpoints(from.getCheckpoints(), claims, &to->checkpoints);
}

void write_session(state::Session::Builder to, const CheckpointDirectory::OfSession& from) {
  to.setUuid(capnp::Data::Reader(from.uuid.data(), from.uuid.size()));
  to.setRows(from.rows);
  const auto count = [](const auto& list) { return static_cast<unsigned>(list.size()); };
  write_actors(to.initThreads(count(from.threads)), from.threads);
  write_actors(to.initCpus(count(from.cpus)), from.cpus);
  write_numbers(to.initCellThreads(count(from.cell_threads)), from.cell_threads);
  write_numbers(to.initCellCpus(count(from.cell_cpus)), from.cell_cpus);
  auto checkpoints = to.initCheckpoints(count(from.checkpoints));
  for (unsigned i = 0; i < checkpoints.size(); ++i) {
    const StoredCheckpoint& checkpoint = from.checkpoints[i];
    checkpoints[i].setNs(checkpoint.ns);
    checkpoints[i].setOffset(checkpoint.offset);
    checkpoints[i].setSize(checkpoint.size);
    checkpoints[i].setWords(checkpoint.words);
    checkpoints[i].setCrc(checkpoint.crc);
    checkpoints[i].setIsDelta(checkpoint.is_delta);
  }
}

}  // namespace

// In one segment, without a table of them.
std::vector<std::byte> encode(const CheckpointDirectory& directory) {
  capnp::MallocMessageBuilder builder;
  auto root = builder.initRoot<state::Directory>();
  root.setTraceSize(directory.trace_size);
  auto sessions = root.initSessions(static_cast<unsigned>(directory.sessions.size()));
  for (unsigned i = 0; i < sessions.size(); ++i) write_session(sessions[i], directory.sessions[i]);
  capnp::MallocMessageBuilder whole(static_cast<unsigned>(builder.sizeInWords()) + 8);
  whole.setRoot(root.asReader());
  const auto segment = whole.getSegmentsForOutput()[0];
  std::vector<std::byte> bytes(segment.size() * sizeof(capnp::word));
  std::memcpy(bytes.data(), segment.begin(), bytes.size());
  return bytes;
}

bool decode(Bytes message, std::size_t sessions, CheckpointDirectory* directory) {
  if (message.empty()) return false;
  Claims claims(message.size());
  const bool whole = with_message<state::Directory>(message, kNesting, [&](state::Directory::Reader root) {
    directory->trace_size = root.getTraceSize();
    const auto all = root.getSessions();
    claims.take(all.size(), kSessionBytes);
    if (all.size() != sessions || !claims.ok()) return;
    directory->sessions.resize(sessions);
    for (unsigned i = 0; claims.ok() && i < sessions; ++i) {
      read_session(all[i], &claims, &directory->sessions[i]);
    }
  });
  return whole && claims.ok() && directory->sessions.size() == sessions;
}

std::size_t bytes_of(const Actor& actor) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  return kActorBytes + (actor.name.size() + kWord) / kWord * kWord;  // with the zero behind it
}

}  // namespace evt
