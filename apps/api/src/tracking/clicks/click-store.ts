import type { ClientBase } from 'pg'
import type { BatchKind, ClickBatch } from './clicks-to-store.ts'

/** Where a database has its clicks: on one server, or on the machines of a cluster. */
export type ClickStore = {
  /**
   * Stores clicks of one New York day, finds which of them are unique, and writes what they add to the totals, all or
   * nothing.
   * - `new`: clicks that were never sent to the database. Fails with 23505 if the key of one is
   *   taken.
   * - `again`: clicks that may have been stored by a statement whose answer never arrived. Those that
   *   were change nothing.
   * - `late`: the same, of a day whose visitors are forgotten. They are recalled from its clicks.
   */
  store(session: ClientBase, kind: BatchKind, batch: ClickBatch): Promise<void>
  /**
   * Stores clicks of as many agents as it takes to use each machine, in a transaction that is rolled back. Others may be slow
   * or refuse.
   */
  tryOut(session: ClientBase, makeBatch: (agents: number) => ClickBatch): Promise<void>
  /** Whether a click was refused because its month is being archived. */
  isHeldBack(error: Error): boolean
  /** Of a cluster: its machines take the clicks of their own agents, too. */
  onMachines?: MachinesStore
}

/** What the machines of a cluster need to take clicks. Sessions are with the coordinator. */
export type MachinesStore = {
  /** Finds where agents are. `former` is what was found before. */
  find(session: ClientBase, former: Places | undefined): Promise<Places>
  /** Stores the new texts of clicks: each machine has all of them, so it can't add one by itself. */
  storeTexts(
    session: ClientBase,
    texts: Pick<ClickBatch, 'referrers' | 'userAgents'>,
  ): Promise<void>
}

/** Where the machines of a cluster have their agents. It may be out of date: a machine passes clicks of others on. */
export type Places = {
  machines: readonly Machine[]
  /** The machines that can't take clicks by themselves, and why. */
  unfit: readonly { name: string; why: string }[]
  shardOf: ReadonlyMap<number, string>
  /** By shard: the name of its machine. */
  machineOf: ReadonlyMap<string, string>
}

/** A machine under the address at which the others reach it. */
export type Machine = {
  name: string
  host: string
  port: number
  /** Of the machine's shards, agents who do not exist. */
  nobody: readonly number[]
}
