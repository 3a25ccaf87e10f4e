import type { NoticeKind } from '@tallyroom/domain/partner-postback'
import type { Insertable } from 'kysely'
import type { DB } from '../db/types.ts'

/**
 * A fact that somebody may want to hear, written in its transaction, so that none goes untold and none is told that was
 * rolled back. It only points to the event, which never changes.
 */
export type Notice = Insertable<DB['notices']> & { kind: NoticeKind } & OfAgent

type OfAgent = { agent_id: number; office_id: number }

/** Who may want to hear. Nothing is written if nobody does. */
export type Listeners = { hear(notice: OfAgent): boolean }

/** For who doesn't know the listeners: what nobody wants to hear is dropped later. */
export const everybody: Listeners = { hear: () => true }
