import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TrackedLink, trackedLinkPath } from '@tallyroom/domain/tracked-link'
import { announceChange } from '../../src/db/changes.ts'
import type { Connection } from '../../src/db/connection.ts'
import { type Db, openDatabase } from '../../src/db/database.ts'
import { socketEndpoint, tcpEndpoint, urlOf } from '../../src/db/engine/endpoint.ts'
import { engineUser } from '../../src/db/engine/os-user.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { makeSiteKeys } from '../../src/tracking/site-keys/site-keys.ts'
import { openSession } from '../../src/people/sessions/open-session.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { silentLog } from '../../src/lib/log/log.ts'
import { provideSecrets } from '../../src/lib/secrets.ts'
import { buildAccount, buildAgent, buildLinkType, buildOffice, buildSite } from '../build-world.ts'
import { until } from '../until.ts'

/** What is sold and by whom, on a running server. */
export type FaultWorld = {
  url: string
  dataDir: string
  connection: Connection
  links: Link[]
  /** A signed-in superadmin's token. */
  session: string
}

/** A tracked link and the postback key of its site's merchant. */
export type Link = TrackedLink & { key: string }

/** A folder for a server's data, accessible to the engine's own user. */
export async function makeDataDir(
  name: string,
): Promise<{ path: string; remove(): Promise<void> }> {
  // A later test run recognizes orphaned engines by the prefix and the file.
  const home = await mkdtemp(join(tmpdir(), `tallyroom-test-faults-${name}-`))
  await chmod(home, 0o711)
  await writeFile(join(home, 'owner.pid'), String(process.pid))
  return { path: home, remove: () => rm(home, { recursive: true, force: true }) }
}

/**
 * Creates two offices with two agents each and two sites with two link types each on a running server. `others` are
 * further servers on the same database.
 */
export async function buildFaultWorld(
  url: string,
  dataDir: string,
  connection: Connection,
  others: readonly string[] = [],
): Promise<FaultWorld> {
  const { db, close } = openDatabase(connection, { max: 2, applicationName: 'faults' })
  try {
    const links = await buildLinks(db, dataDir)
    await inTransaction(db, (tx) => announceChange(tx, 'destinations'))
    const [first] = links
    for (const each of [url, ...others]) {
      await until(async () => first !== undefined && (await isFollowed(each, first)))
    }
    return { url, dataDir, connection, links, session: await buildSession(db, dataDir) }
  } finally {
    await close()
  }
}

async function buildLinks(db: Db, dataDir: string): Promise<Link[]> {
  const agents: number[] = []
  for (const office of [await buildOffice(db), await buildOffice(db)]) {
    agents.push(await buildAgent(db, { office_id: office }))
    agents.push(await buildAgent(db, { office_id: office }))
  }
  const secrets = await provideSecrets(join(dataDir, 'secret.key'))
  const keys = makeSiteKeys({ db, ...secrets })
  const links: Link[] = []
  for (const siteId of [await buildSite(db, { avp: true }), await buildSite(db)]) {
    const { key } = await keys.provide(siteId)
    for (const bonus of [true, false]) {
      const typeId = await buildLinkType(db, { site_id: siteId, bonus })
      links.push(...agents.map((agentId) => ({ siteId, typeId, agentId, key })))
    }
  }
  return links
}

async function buildSession(db: Db, dataDir: string): Promise<string> {
  const accountId = await buildAccount(db)
  const { secret } = await provideSecrets(join(dataDir, 'secret.key'))
  return inTransaction(db, (tx) =>
    openSession(tx, {
      account: {
        accountId,
        username: '',
        permissions: [],
        role: 'superadmin',
        officeId: undefined,
        agentId: undefined,
      },
      ip: '127.0.0.1',
      userAgent: 'faults',
      now: systemClock.now(),
      secret,
      provedBy: 'password',
    }),
  )
}

/** Whether every process redirects visitors: new connections are distributed round-robin. */
async function isFollowed(url: string, link: Link): Promise<boolean> {
  for (let process = 0; process < 4; process++) {
    if ((await look(url + trackedLinkPath(link))) !== 302) return false
  }
  return true
}

/** The status of a URL. A HEAD request does not count as a click. */
function look(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { method: 'HEAD', agent: false }, (answer) => resolve(answer.statusCode))
      .once('error', reject)
      .end()
  })
}

/** The database of a server with an embedded engine in this folder. */
export async function embeddedConnection(dataDir: string): Promise<Connection> {
  const user = await engineUser(join(dataDir, 'postgres'))
  const endpoint =
    process.platform === 'win32'
      ? await tcpEndpoint(dataDir)
      : await socketEndpoint(dataDir, user, silentLog)
  return { kind: 'embedded', url: urlOf(endpoint, 'tallyroom') }
}
