// The two games for Python: values that print, parse, compare, hash and copy.
#include "bindings.hpp"

#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "games/draughts_actions.hpp"
#include "games/draughts_notation.hpp"
#include "games/tictactoe3d_actions.hpp"
#include "games/tictactoe3d_notation.hpp"
#include "engine/counting.hpp"

using namespace nb::literals;

namespace ludus {
namespace {

// Python compares anything with anything.
const nb::sig equality{"def __eq__(self, other: object, /) -> bool"};

// A text as UTF-8. Half a surrogate, which a badly decoded file or command line may hold, has none and becomes '?':
// it is for the parsers to refuse, with their own errors.
std::string utf8(const nb::str& text) {
    const auto bytes = nb::steal<nb::bytes>(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "replace"));
    if (!bytes.is_valid()) throw nb::python_error();
    return {bytes.c_str(), bytes.size()};
}

// Raises KeyboardInterrupt for a Ctrl-C; called between the pieces of long work.
void check_signals() {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

template <class Game>
nb::list moves(typename Game::Position p) {
    nb::list list;
    for (const auto move : Game::generate(p)) list.append(move);
    return list;
}

template <class Position, class Move>
void checked(Position p, Move move) {
    if (!generate(p).contains(move)) throw IllegalMove(quoted(text(move)) + " is not legal in " + text(p) + "; " + legal_moves(p));
}

// The legal move with this action id.
template <class Game>
typename Game::Move move_of_id(typename Game::Position p, std::int64_t id) {
    if (id < 0 || static_cast<std::size_t>(id) >= Actions<Game>::count) {
        throw IllegalMove("the ids of moves are 0 to " + std::to_string(Actions<Game>::count - 1) + ", not " + std::to_string(id));
    }
    const auto move = Actions<Game>::move(static_cast<std::size_t>(id), p);
    checked(p, move);
    return move;
}

// An id of 128 bits as a Python number, and back. Throws BadPosition for a number that has more bits.
nb::object id_of_halves(std::uint64_t low, std::uint64_t high) { return nb::int_(high) << nb::int_(64) | nb::int_(low); }

std::pair<std::uint64_t, std::uint64_t> halves_of_id(const nb::int_& id) {
    if (id < nb::int_(0) || !(id >> nb::int_(128)).equal(nb::int_(0))) throw BadPosition("the id of a position is a number from 0 and below 2^128");
    const nb::int_ half(~std::uint64_t{0});
    return {nb::cast<std::uint64_t>(id & half), nb::cast<std::uint64_t>(id >> nb::int_(64))};
}

template <class Game>
std::string moves_text(const History<Game>& history) {
    std::string written;
    for (std::size_t i = 0; i < history.moves().size(); ++i) {
        if (i) written += ' ';
        written += short_text(history.positions()[i], history.moves()[i]);
    }
    return written;
}

// A move, or its text; one signature, because the site leaves out functions that have several.
template <class Move>
using Given = std::variant<Move, nb::str>;

template <class Position, class Move>
Move legal_move(Position p, const Given<Move>& given) {
    if (const auto* text = std::get_if<nb::str>(&given)) return parse_move(p, utf8(*text));
    const Move move = std::get<Move>(given);
    checked(p, move);
    return move;
}

// The part that histories of both games have.
template <class Game>
void bind_history(nb::module_& module) {
    using Position = typename Game::Position;
    using Move = typename Game::Move;
    using Played = History<Game>;
    const auto copied = [](const Played& h) { return Played(h); };
    nb::class_<Played>(module, "History", "A game under way, with what the draw rules need to know of it. Its `repr` pastes back.")
        .def("__init__", [](Played* self, Position start, DrawRules rules, const nb::str& moves) {
            Played history(start, rules);
            for (const nb::handle word : moves.attr("split")()) history.play(parse_move(history.position(), utf8(nb::borrow<nb::str>(word))));
            new (self) Played(std::move(history));
        }, "start"_a = Game::start, "rules"_a = DrawRules{}, "moves"_a = "",
             "A game from `start`; `moves` are played first, written with spaces between them. Raises IllegalMove or AmbiguousMove.")
        .def_prop_ro("start", [](const Played& h) { return h.positions().front(); }, "The position it began with.")
        .def_prop_ro("position", [](const Played& h) { return h.position(); }, "The present position.")
        .def_prop_ro("rules", [](const Played& h) { return h.rules(); }, "The draw rules.")
        .def_prop_ro("plies", &Played::plies, "The number of moves played.")
        .def_prop_ro("moves", [](const Played& h) { return h.moves(); }, "The moves played, as a new list.")
        .def_prop_ro("quiet_plies", [](const Played& h) { return h.clock().quiet_plies(); }, "Plies since the last capture or man's move.")
        .def_prop_ro("repetitions", [](const Played& h) { return h.clock().times(); }, "How often the present position has stood, this time included.")
        .def("play", [](Played& h, const Given<Move>& given) { h.play(legal_move(h.position(), given)); }, "move"_a,
             "Plays a legal move, which may be written as text. Raises IllegalMove or AmbiguousMove.")
        .def("undo", [](Played& h) {
            if (h.moves().empty()) throw IllegalMove("there is no move to take back");
            const Move last = h.moves().back();
            h.undo();
            return last;
        }, "Takes the last move back and returns it. Raises IllegalMove if there is none.")
        .def("outcome", &Played::outcome, "How the game ended, draws included; None while it goes on.")
        .def("copy", copied, "Another history of the same game: a move in one does not change the other.")
        .def("__copy__", copied)
        .def("__deepcopy__", [](const Played& h, nb::handle) { return Played(h); }, "memo"_a)
        .def("__eq__", [](const Played& h, nb::handle other) {
            if (!nb::isinstance<Played>(other)) return false;
            const auto& its = nb::cast<const Played&>(other);
            return h.positions().front() == its.positions().front() && h.rules() == its.rules() && h.moves() == its.moves();
        }, equality)
        .def("__repr__", [](const Played& h) {
            std::string inside;
            const auto add = [&](const char* name, const nb::object& value) {
                inside.append(inside.empty() ? "" : ", ").append(name).append("=").append(nb::repr(value).c_str());
            };
            if (!(h.positions().front() == Game::start)) add("start", nb::cast(h.positions().front()));
            if (!(h.rules() == DrawRules{})) add("rules", nb::cast(h.rules()));
            if (!h.moves().empty()) add("moves", nb::cast(moves_text(h)));
            return "History(" + inside + ")";
        })
        .def("__reduce__", [](nb::handle self) {
            const auto& h = nb::cast<const Played&>(self);
            return nb::make_tuple(self.type(), nb::make_tuple(h.positions().front(), h.rules(), moves_text(h)));
        }, nb::sig("def __reduce__(self) -> tuple[type[History], tuple[Position, ludus._core.DrawRules, str]]"));
}

// The plies of perft that are counted in one go: well under a second.
constexpr int piece_plies = 6;
// A count of more plies would not end; a recursion of a million would overflow the stack.
constexpr int most_plies = 100;

template <class Game>
std::uint64_t perft_in_pieces(typename Game::Position p, int depth, bool plain) {
    if (depth <= piece_plies) {
        const nb::gil_scoped_release release;
        return perft<Game>(p, depth, plain);
    }
    check_signals();
    std::uint64_t leaves = 0;
    for (const auto move : Game::generate(p)) leaves += perft_in_pieces<Game>(Game::play(p, move), depth - 1, plain);
    return leaves;
}

template <class Game>
Tally random_games_in_pieces(std::uint64_t seed, std::uint64_t first, std::uint64_t count) {
    constexpr std::uint64_t piece = 10'000;
    Tally tally;
    for (; count > 0; check_signals()) {
        const nb::gil_scoped_release release;
        const std::uint64_t games = std::min(count, piece);
        tally += random_games<Game>(seed, first, games);
        first += games;
        count -= games;
    }
    return tally;
}

// The part that both games have; `parse` reads a position.
template <class Game, auto parse>
auto bind_game(nb::module_& module) {
    using Position = typename Game::Position;
    using Move = typename Game::Move;

    auto move = nb::class_<Move>(module, "Move", "A move; prints as people write it.");
    move.def("__str__", [](Move m) { return text(m); })
        .def_prop_ro("id", [](Move m) { return Actions<Game>::id(m); },
                     "Its number as its mover sees the board, from 0 and below ACTIONS; `Position.move` finds the move again.")
        .def(nb::self == nb::self, equality)
        .def("__hash__", [](Move m) { return nb::hash(nb::str(text(m).c_str())); });

    auto position = nb::class_<Position>(module, "Position", "An immutable position; see the text of its module.");
    position
        .def("__init__", [](Position* self, const nb::str& text) { new (self) Position(parse(utf8(text))); }, "text"_a,
             "Reads a position from its text. Raises BadPosition with the reason.")
        .def("__str__", [](Position p) { return drawn(p); })
        .def("__repr__", [](Position p) { return "Position('" + text(p) + "')"; })
        .def(nb::self == nb::self, equality)
        .def("__hash__", [](Position p) { return static_cast<std::int64_t>(Game::Zobrist::of(p)); })
        .def("__reduce__", [](nb::handle self) { return nb::make_tuple(self.type(), nb::make_tuple(text(nb::cast<Position>(self)))); },
             nb::sig("def __reduce__(self) -> tuple[type[Position], tuple[str]]"))
        .def_prop_ro("text", [](Position p) { return text(p); }, "The position as one line of text, which Position() reads back.")
        .def_prop_ro("turn", [](Position p) { return Game::turn(p); }, "The side to move.")
        .def("moves", &moves<Game>, "The legal moves.", nb::sig("def moves(self) -> list[Move]"))
        .def("move", [](Position p, const std::variant<std::int64_t, nb::str>& given) {
            if (const auto* id = std::get_if<std::int64_t>(&given)) return move_of_id<Game>(p, *id);
            return parse_move(p, utf8(std::get<nb::str>(given)));
        }, "text"_a, "The legal move that people write so, or that has this id. Raises IllegalMove or AmbiguousMove with the reason.")
        .def("write", [](Position p, Move m) { return short_text(p, m); }, "move"_a,
             "The shortest text that tells this move from the other legal ones.")
        .def("play", [](Position p, const Given<Move>& given) { return Game::play(p, legal_move(p, given)); }, "move"_a,
             "The position after a legal move, which may be written as text. Raises IllegalMove or AmbiguousMove.")
        .def("outcome", &Game::outcome, "How the game ended here; None while it goes on.")
        .def("perft", [](Position p, int depth, bool plain) {
            if (depth < 0 || depth > most_plies) throw std::invalid_argument("a depth is 0 to " + std::to_string(most_plies) + " plies");
            return perft_in_pieces<Game>(p, depth, plain);
        }, "depth"_a, nb::kw_only(), "plain"_a = false,
             "The number of games of `depth` plies. `plain` makes every last move instead of counting it.");

    bind_history<Game>(module);

    module.attr("START") = Game::start;
    module.def(
        "random_game",
        [](std::uint64_t seed, std::uint64_t index) {
            Rng rng(seed, index);
            std::vector<Move> played;
            const Outcome outcome = random_game<Game>(Game::start, rng, {}, [&](Position, Move m) { played.push_back(m); });
            return std::tuple{played, outcome};
        },
        "seed"_a, "index"_a, "The moves and the outcome of game `index` of uniformly random play.");
    module.def("random_games", [](std::uint64_t seed, std::uint64_t first, std::uint64_t count) {
                   const Tally tally = random_games_in_pieces<Game>(seed, first, count);
                   return std::tuple{tally.wins, tally.draws, tally.losses, tally.plies};
               }, "seed"_a, "first"_a, "count"_a,
               "Wins of the first mover, draws, its losses, and plies over `count` games of random_game.");
    return std::pair{position, move};
}

void bind_outcome(nb::module_& core) {
    nb::exception<BadPosition>(core, "BadPosition", PyExc_ValueError).attr("__doc__") = "A text is not a position; the message says why.";
    nb::exception<IllegalMove>(core, "IllegalMove", PyExc_ValueError).attr("__doc__") =
        "A move cannot be played; the message says why, and which moves are legal.";
    nb::exception<AmbiguousMove>(core, "AmbiguousMove", PyExc_ValueError).attr("__doc__") =
        "A text means several legal moves, which the message lists.";

    nb::enum_<Color>(core, "Color", "A side.").value("BLACK", Color::black).value("WHITE", Color::white)
        .def("__str__", [](Color color) { return name(color); })
        .def("__invert__", [](Color color) { return !color; });
    nb::enum_<Reason>(core, "Reason", "Why a game ended.")
        .value("NO_MOVES", Reason::no_moves)
        .value("FOUR_IN_LINE", Reason::four_in_line)
        .value("FULL_BOARD", Reason::full_board)
        .value("REPETITION", Reason::repetition)
        .value("QUIET_MOVES", Reason::quiet_moves)
        .value("LENGTH", Reason::length)
        .value("RESIGNATION", Reason::resignation)
        .value("AGREEMENT", Reason::agreement)
        .value("FORFEIT", Reason::forfeit)
        .value("ADJUDICATION", Reason::adjudication);
    nb::class_<Outcome>(core, "Outcome", "How a finished game ended: the winner, None for a draw, and the reason.")
        .def(nb::init<std::optional<Color>, Reason>(), "winner"_a.none(), "reason"_a)
        .def_ro("winner", &Outcome::winner)
        .def_ro("reason", &Outcome::reason)
        .def("__str__", &describe)
        .def("__repr__", [](const Outcome& outcome) {
            const char* winner = !outcome.winner ? "None" : *outcome.winner == Color::black ? "Color.BLACK" : "Color.WHITE";
            return nb::str("Outcome({}, {})").format(winner, nb::cast(outcome.reason));
        })
        .def("__reduce__", [](nb::handle self) {
            const auto outcome = nb::cast<Outcome>(self);
            return nb::make_tuple(self.type(), nb::make_tuple(outcome.winner, outcome.reason));
        }, nb::sig("def __reduce__(self) -> tuple[type[Outcome], tuple[Color | None, Reason]]"))
        .def(nb::self == nb::self, equality)
        .def("__hash__", [](const Outcome& outcome) { return nb::hash(nb::make_tuple(outcome.winner, outcome.reason)); });
}

void bind_draw_rules(nb::module_& core) {
    nb::class_<DrawRules>(core, "DrawRules", "When a game that could go on is a draw; 0 turns a rule off.")
        .def("__init__", [](DrawRules* self, int repetitions, int quiet_plies, int plies, bool blocked) {
            if (repetitions < 0 || quiet_plies < 0 || plies < 0) throw std::invalid_argument("a draw rule is a whole number, 0 or more");
            new (self) DrawRules{.repetitions = repetitions, .quiet_plies = quiet_plies, .plies = plies, .blocked = blocked};
        }, nb::kw_only(), "repetitions"_a = DrawRules{}.repetitions, "quiet_plies"_a = DrawRules{}.quiet_plies, "plies"_a = DrawRules{}.plies,
           "blocked"_a = DrawRules{}.blocked)
        .def_ro("repetitions", &DrawRules::repetitions, "The same position with the same side to move, this many times.")
        .def_ro("quiet_plies", &DrawRules::quiet_plies, "Plies since the last capture or man's move.")
        .def_ro("plies", &DrawRules::plies, "Plies of the whole game.")
        .def_ro("blocked", &DrawRules::blocked, "A side that has pieces and no move draws; by the official rules it loses.")
        .def("__repr__", [](const DrawRules& r) {
            const char* blocked = r.blocked ? ", blocked=True" : "";
            return nb::str("DrawRules(repetitions={}, quiet_plies={}, plies={}{})").format(r.repetitions, r.quiet_plies, r.plies, blocked);
        })
        .def("__reduce__", [](nb::handle self) {
            const auto& r = nb::cast<const DrawRules&>(self);
            const nb::object partial = nb::module_::import_("functools").attr("partial");  // so the constructor checks what is read
            return nb::make_tuple(partial(self.type(), "repetitions"_a = r.repetitions, "quiet_plies"_a = r.quiet_plies,
                                          "plies"_a = r.plies, "blocked"_a = r.blocked), nb::tuple());
        }, nb::sig("def __reduce__(self) -> tuple[functools.partial[DrawRules], tuple[()]]"))
        .def(nb::self == nb::self, equality)
        .def("__hash__", [](const DrawRules& r) { return nb::hash(nb::make_tuple(r.repetitions, r.quiet_plies, r.plies, r.blocked)); });
}

void bind_draughts(nb::module_& core) {
    using namespace draughts;
    nb::module_ module = core.def_submodule("draughts", "English draughts.");
    auto [position, move] = bind_game<Game, parse_position>(module);
    position.def("turned", &with_sides_exchanged, "The same position with the sides exchanged and the board turned round.")
        .def("pieces", [](Position p) {
            nb::dict pieces;
            for (unsigned n = 1; n <= 32; ++n) {
                const char c = piece(p, n);
                if (c != '.') pieces[nb::int_(n)] = nb::str(&c, 1);
            }
            return pieces;
        }, "The pieces by square: b or w a man, B or W a king.", nb::sig("def pieces(self) -> dict[int, str]"));
    position.def_prop_ro("id", [](Position p) {
            std::uint64_t black = 0, white = 0, kings = 0;
            for (unsigned n = 1; n <= 32; ++n) {
                const char c = piece(p, n);
                const std::uint64_t square = std::uint64_t{1} << (n - 1);
                if (c == 'b' || c == 'B') black |= square;
                if (c == 'w' || c == 'W') white |= square;
                if (c == 'B' || c == 'W') kings |= square;
            }
            return id_of_halves(black | white << 32, kings | std::uint64_t{p.turn == Color::white} << 32);
        }, "A number that only this position has. Bits 0 to 31 are Black's pieces on squares 1 to 32, the next 32 White's, the next 32 the kings, "
           "bit 96 is on when White is to move.", nb::sig("def id(self) -> int"))
        .def_static("from_id", [](const nb::int_& id) {
            const auto [pieces, rest] = halves_of_id(id);
            Position p{.turn = rest >> 32 & 1 ? Color::white : Color::black};
            for (unsigned n = 1; n <= 32; ++n) {
                const auto on = [&](std::uint64_t word, unsigned from) { return (word >> (from + n - 1) & 1) != 0; };
                const Board square = bit(index(n, p.turn));
                if (on(pieces, 0)) (p.turn == Color::black ? p.own : p.other) |= square;
                if (on(pieces, 32)) (p.turn == Color::white ? p.own : p.other) |= square;
                if (on(rest, 0)) p.kings |= square;
            }
            if (rest >> 33 || p.own & p.other || p.kings & p.empty()) throw BadPosition("no position has this id");
            return parse_position(text(p));  // which refuses what cannot stand on a board
        }, "id"_a, "The position with this id. Raises BadPosition.", nb::sig("def from_id(id: int) -> Position"));
    move.def("__init__", [](Move* self, const nb::str& text, std::optional<Color> side) { new (self) Move(move_of(utf8(text), side)); },
             "text"_a, "side"_a = nb::none(),
             "The move that visits these squares. `side` has to be given for a king's move backwards only. Raises IllegalMove if no piece can "
             "go that way; whether it is legal depends on a position, whose `move` reads text.")
        .def("__repr__", [](Move m) {
            const char* side = usual_side(path(m)) == m.turn ? "" : m.turn == Color::black ? ", Color.BLACK" : ", Color.WHITE";
            return "Move('" + text(m) + "'" + side + ")";
        })
        .def_prop_ro("squares", [](Move m) { return nb::tuple(nb::cast(path(m))); }, "The squares it visits, first to last.",
                     nb::sig("def squares(self) -> tuple[int, ...]"))
        .def_prop_ro("captured", [](Move m) { return nb::tuple(nb::cast(captured(m))); }, "The squares it captures, in order.",
                     nb::sig("def captured(self) -> tuple[int, ...]"))
        .def("__reduce__", [](nb::handle self) {
            const auto m = nb::cast<Move>(self);
            return nb::make_tuple(self.type(), nb::make_tuple(text(m), Color{m.turn}));
        }, nb::sig("def __reduce__(self) -> tuple[type[Move], tuple[str, ludus._core.Color]]"))
        .def_static("from_id", [](std::size_t id, Color side) {
            if (id >= Actions<Game>::count) throw IllegalMove("the ids of moves are 0 to " + std::to_string(Actions<Game>::count - 1));
            return Actions<Game>::move(id, Position{.turn = side});
        }, "id"_a, "side"_a, "The move with this id by this side. Raises IllegalMove.");
}

void bind_tictactoe3d(nb::module_& core) {
    using namespace tictactoe3d;
    nb::module_ module = core.def_submodule("tictactoe3d", "Tic-Tac-Toe 3D, 4x4x4 with gravity.");
    auto [position, move] = bind_game<Game, parse_position>(module);
    position
        .def("symmetric", [](Position p, int symmetry) {
            if (symmetry < 0 || symmetry >= symmetries) throw std::invalid_argument("the symmetries are 0 to 7");
            return symmetric(p, symmetry);
        }, "symmetry"_a, "The image under symmetry 0 (none) to 7 of the square.")
        .def("cells", [](Position p) {
            std::string text;
            for (unsigned cell = 0; cell < cells; ++cell) text += stone(p, cell);
            return text;
        }, "The 64 cells, level by level, row by row: w, b or '.'.")
        .def_prop_ro("id", [](Position p) {
            const bool white = p.turn() == Color::white;
            return id_of_halves(white ? p.own : p.other, white ? p.other : p.own);
        }, "A number that only this position has. Bits 0 to 63 are White's stones in the order of `cells`, the next 64 Black's.",
           nb::sig("def id(self) -> int"))
        .def_static("from_id", [](const nb::int_& id) {
            const auto [white, black] = halves_of_id(id);
            const bool whites_turn = std::popcount(white) == std::popcount(black);
            const Position p{.own = whites_turn ? white : black, .other = whites_turn ? black : white};
            const bool falls = ((p.occupied() << columns | 0xFFFF) & p.occupied()) == p.occupied();
            if (white & black || !falls) throw BadPosition("no position has this id");
            return parse_position(text(p));  // which refuses what cannot stand on a board
        }, "id"_a, "The position with this id. Raises BadPosition.", nb::sig("def from_id(id: int) -> Position"));
    module.def("lines", [] {
        std::vector<std::vector<unsigned>> list;
        for (Board line : lines) {
            list.emplace_back();
            for (; line; line &= line - 1) list.back().push_back(static_cast<unsigned>(std::countr_zero(line)));
        }
        return list;
    }, "The cells, 0 to 63, of each of the 76 lines.");
    move.def("__init__", [](Move* self, const nb::str& text) { new (self) Move(move_of(utf8(text))); }, "text"_a,
             "A stone in this column, a1 to d4. Raises IllegalMove if it is none.")
        .def("__repr__", [](Move m) { return "Move('" + text(m) + "')"; })
        .def_prop_ro("column", [](Move m) { return m.column; }, "The column 0 to 15: letter + 4 * (digit - 1).")
        .def("__reduce__", [](nb::handle self) { return nb::make_tuple(self.type(), nb::make_tuple(text(nb::cast<Move>(self)))); },
             nb::sig("def __reduce__(self) -> tuple[type[Move], tuple[str]]"))
        .def_static("from_id", [](std::size_t id) {
            if (id >= Actions<Game>::count) throw IllegalMove("the ids of moves are 0 to " + std::to_string(Actions<Game>::count - 1));
            return Actions<Game>::move(id, {});
        }, "id"_a, "The move with this id. Raises IllegalMove.");
}

}  // namespace

void bind_games(nb::module_& core) {
    bind_outcome(core);
    bind_draw_rules(core);
    bind_draughts(core);
    bind_tictactoe3d(core);
}

}  // namespace ludus
