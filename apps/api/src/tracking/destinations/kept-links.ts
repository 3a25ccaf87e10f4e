import { mkdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PAGE_PARAM, SUB_NAMES } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import type { ChangeWatch } from '../../db/changes.ts'
import { every } from '../../lib/every.ts'
import type { Log } from '../../lib/log/log.ts'
import type { LinkFacts } from './destinations.queries.ts'
import type { ShortLinkFact } from './short-links.queries.ts'

/** What redirects need, on disk beside the spool, for a start before the database is reachable. */
export type KeptLinks = {
  /** Keeps what was just read from the database. */
  keep(part: Partial<Content>): void
  stop(): Promise<void>
}

type Content = {
  facts: LinkFacts
  shortLinks: readonly ShortLinkFact[]
  blacklist: readonly string[]
}

/**
 * How long what is on disk may be followed after it was last known to be current. Longer than a start that replays
 * PostgreSQL's log; short, because a link that was suspended elsewhere meanwhile works until then.
 */
const LONGEST_FOLLOWED_MS = 10 * 60_000
const WRITE_MS = 1_000
const CONFIRM_MS = 5_000

const pathIn = (dataDir: string): string => join(dataDir, 'links.json')

/**
 * Writes changes within a second or two. The file's time says until when it was known to be current: it is renewed while
 * this process hears of all changes.
 */
export function keepLinksOnDisk(
  dataDir: string,
  changes: Pick<ChangeWatch, 'isCurrent'>,
  log: Log,
): KeptLinks {
  const path = pathIn(dataDir)
  const content: Partial<Content> = {}
  let isChanged = false
  let confirmedAt = 0

  async function write(): Promise<void> {
    if (!content.facts || !content.shortLinks || !content.blacklist) return
    if (isChanged) {
      isChanged = false
      try {
        await replace(JSON.stringify({ format: FORMAT, ...content }))
      } catch (error) {
        // Else the former file would be renewed as if it were current.
        isChanged = true
        throw error
      }
    } else if (performance.now() - confirmedAt > CONFIRM_MS && changes.isCurrent()) {
      await confirm(path)
    }
  }

  async function replace(text: string): Promise<void> {
    const draft = `${path}.${process.pid}`
    await mkdir(dataDir, { recursive: true })
    await writeFile(draft, text, { mode: 0o600 })
    await confirm(draft)
    await rename(draft, path)
  }

  async function confirm(file: string): Promise<void> {
    confirmedAt = performance.now()
    const now = new Date()
    await utimes(file, now, now)
  }

  const writing = every('keep links on disk', WRITE_MS, write, { log })
  return {
    keep(part) {
      Object.assign(content, part)
      isChanged = true
    },
    stop: () => writing.stop(),
  }
}

/** What an earlier process kept; undefined if there is nothing, or it cannot be read. */
export async function readKeptLinks(
  dataDir: string,
): Promise<(Content & { isFresh(nowMs: number): boolean }) | undefined> {
  try {
    const path = pathIn(dataDir)
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)])
    const { facts, shortLinks, blacklist } = contentSchema.parse(JSON.parse(text))
    return {
      facts,
      shortLinks,
      blacklist,
      isFresh: (nowMs) => nowMs - mtimeMs < LONGEST_FOLLOWED_MS,
    }
  } catch {
    // Missing, written by another version, or cut short by a power failure: the database has it all.
    return undefined
  }
}

const FORMAT = 2

const id = z.int()

/** What older files lack has a default. */
const contentSchema = z.object({
  format: z.literal(FORMAT),
  facts: z.object({
    sites: z.array(
      z.object({
        id,
        active: z.boolean(),
        click_param: z.string(),
        deep_hosts: z.array(z.string()).default([]),
        instead_type_id: id.nullable().default(null),
      }),
    ),
    types: z.array(
      z.object({
        id,
        site_id: id,
        url: z.string(),
        active: z.boolean(),
        forward_params: z.boolean().default(false),
      }),
    ),
    agents: z.array(z.object({ id, office_id: id, works: z.boolean() })),
    officeSites: z.array(z.object({ office_id: id, site_ids: z.array(id) })),
    agentSitesOff: z.array(z.object({ agent_id: id, site_ids: z.array(id) })),
  }),
  shortLinks: z
    .array(
      z.object({
        look: z.string(),
        site_id: id,
        type_id: id,
        agent_id: id,
        carries: z.partialRecord(z.enum([...SUB_NAMES, PAGE_PARAM]), z.string()),
      }),
    )
    .default([]),
  blacklist: z.array(z.string()),
})
