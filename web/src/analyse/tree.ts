/** A game with variations. The first child of a node is the main line. */

import type { GameName, Line } from "../types";

export interface Node {
  id: number;
  move: string;
  parent: Node | null;
  children: Node[];
}

/** A tree as it is kept: a move and what follows it. */
export type KeptNode = [string, KeptNode[]];

export interface KeptTree {
  game: GameName;
  start: string | null;
  moves: KeptNode[];
}

export class Tree {
  readonly root: Node = { id: 0, move: "", parent: null, children: [] };
  private next = 1;

  constructor(
    readonly game: GameName,
    readonly start: string | null,
  ) {}

  /** A tree of one line. */
  static of({ game, start, moves }: Line): Tree {
    const tree = new Tree(game, start);
    moves.reduce((node, move) => tree.add(node, move), tree.root);
    return tree;
  }

  static restore({ game, start, moves }: KeptTree): Tree {
    const tree = new Tree(game, start);
    const grow = (parent: Node, children: KeptNode[]): void => {
      for (const [move, rest] of children) grow(tree.add(parent, move), rest);
    };
    grow(tree.root, moves);
    return tree;
  }

  keep(): KeptTree {
    const kept = (node: Node): KeptNode => [node.move, node.children.map(kept)];
    return { game: this.game, start: this.start, moves: this.root.children.map(kept) };
  }

  /** The child with this move, which is made if it is not there. */
  add(parent: Node, move: string): Node {
    const there = parent.children.find((child) => child.move === move);
    if (there) return there;
    const node: Node = { id: this.next++, move, parent, children: [] };
    parent.children.push(node);
    return node;
  }

  /** Cuts a node off, with all that follows it. Returns its parent. */
  remove(node: Node): Node {
    if (!node.parent) return node;
    node.parent.children = node.parent.children.filter((child) => child !== node);
    return node.parent;
  }

  /** Makes a variation the main line, from the root on. */
  promote(node: Node): void {
    for (let each = node; each.parent; each = each.parent) {
      each.parent.children = [each, ...each.parent.children.filter((child) => child !== each)];
    }
  }

  /** The nodes of the main line, without the root. */
  main(): Node[] {
    const nodes: Node[] = [];
    for (let node = this.root.children[0]; node; node = node.children[0]) nodes.push(node);
    return nodes;
  }

  line(node: Node): Line {
    return { game: this.game, start: this.start, moves: path(node).map(({ move }) => move) };
  }

  /** The node that a path of moves leads to, as far as it goes. */
  find(moves: string[]): Node {
    let node = this.root;
    for (const move of moves) {
      const child = node.children.find((each) => each.move === move);
      if (!child) break;
      node = child;
    }
    return node;
  }
}

/** The nodes from the first move to this one. */
export function path(node: Node): Node[] {
  const nodes: Node[] = [];
  for (let each = node; each.parent; each = each.parent) nodes.unshift(each);
  return nodes;
}

/** Whether a node lies on the main line. */
export function isMain(node: Node): boolean {
  for (let each = node; each.parent; each = each.parent) if (each.parent.children[0] !== each) return false;
  return true;
}

/** The end of the line that a node is on. */
export function lastOf(node: Node): Node {
  let last = node;
  while (last.children[0]) last = last.children[0];
  return last;
}
