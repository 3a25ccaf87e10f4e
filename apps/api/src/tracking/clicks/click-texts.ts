import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { every } from '../../lib/every.ts'
import type { Log } from '../../lib/log/log.ts'
import type { Click } from './click.ts'
import { ClickLanes } from './click-lanes.ts'
import type { MachinesStore } from './click-store.ts'
import { addStored, hasTextsOf, type KnownTexts, newTextsOf } from './clicks-to-store.ts'

/** Stores user agents and referrers of clicks that are stored without them. */
export type ClickTexts = {
  /**
   * Stores the new texts of clicks.
   * @returns which clicks have texts that could not be stored. The spool keeps these clicks for later, although the clicks
   * themselves are stored.
   */
  store(clicks: readonly Click[]): Promise<(click: Click) => boolean>
  /** Stores what waits, then closes the session. */
  stop(): Promise<void>
}

type Waiting = { clicks: readonly Click[]; resolve: () => void }

const RECONNECT_MS = 250

/** Those that arrive while others are being stored share the next transaction. */
export function startClickTexts(options: {
  /** Opens a session with the coordinator. */
  openSession: () => Promise<pg.Client>
  store: MachinesStore
  known: KnownTexts
  log: Log
}): ClickTexts {
  const { openSession, store, known, log } = options
  let waiting: Waiting[] = []
  const lanes = new ClickLanes(1, openSession, log, flush, 'texts of clicks are not stored yet')
  const connecting = every('connect for texts', RECONNECT_MS, () => lanes.connect(), { log })
  void connecting.runNow()

  function flush(): void {
    if (waiting.length === 0 || lanes.state === 'starting' || lanes.isAnyBusy) return
    const [lane] = lanes.free
    const group = waiting
    waiting = []
    if (!lane) answer(group)
    else void run(lane, group)
  }

  async function run(lane: (typeof lanes.free)[number], group: readonly Waiting[]): Promise<void> {
    lane.isBusy = true
    const texts = newTextsOf(
      group.flatMap(({ clicks }) => clicks),
      known,
    )
    try {
      await store.storeTexts(lane.session, texts)
      addStored(known, texts)
      lanes.succeed()
      lane.isBusy = false
    } catch (error) {
      lane.isBusy = false
      lanes.fail(lane, error)
    }
    answer(group)
    flush()
  }

  return {
    async store(all) {
      const clicks = all.filter((click) => !hasTextsOf(known, click))
      if (clicks.length === 0) return () => false
      await new Promise<void>((resolve) => {
        waiting.push({ clicks, resolve })
        flush()
      })
      return (click) => !hasTextsOf(known, click)
    },
    async stop() {
      await connecting.stop()
      flush()
      while (waiting.length > 0 || lanes.isAnyBusy) await sleep(5)
      await lanes.end()
    },
  }
}

/** Whether stored or not: the callers look for themselves. */
function answer(group: readonly Waiting[]): void {
  for (const { resolve } of group) resolve()
}
