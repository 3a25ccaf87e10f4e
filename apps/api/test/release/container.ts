import { cpSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Containers, containersIn, installContainerTools } from './podman.ts'
import { root } from './releases.ts'

/** What the image runs for its health, with the container's own port. */
const isReady = ['node_modules/.bin/node', 'scripts/is-ready.mjs']
const cli = ['node_modules/.bin/node', 'apps/api/src/cli.ts']

/** Builds the image of an archive by the Dockerfile, on a Debian of this machine. */
export function buildImage(home: string, archive: string, tag: string): Containers {
  installContainerTools()
  const containers = containersIn(home)
  const context = join(home, 'context')
  mkdirSync(join(context, 'dist'), { recursive: true })
  cpSync(join(root, 'Dockerfile'), join(context, 'Dockerfile'))
  cpSync(archive, join(context, 'dist', basename(archive)))
  containers.build(context, containers.makeBase(), `dist/${basename(archive)}`, tag)
  return containers
}

/** Waits until the container's own health check passes. @throws with its log if it does not within five minutes */
export async function untilHealthy(containers: Containers, name: string): Promise<void> {
  for (let second = 0; second < 300; second++) {
    try {
      containers.exec(name, ...isReady)
      return
    } catch {
      await sleep(1_000)
    }
  }
  throw new Error(`${name} did not become ready:\n${containers.logs(name)}`)
}

/** The end of the common logs' chain, `12:9f86d…`, which is another one if any entry is lost or changed. */
export function endOfLogs(containers: Containers, name: string): string {
  const end = /\b\d+:[\da-f]{64}\b/.exec(containers.exec(name, ...cli, 'audit', 'verify'))?.[0]
  if (end === undefined) throw new Error('The common logs are empty.')
  return end
}

/** @throws if the entry is not there as it was */
export const verifyLogs = (containers: Containers, name: string, end: string): string =>
  containers.exec(name, ...cli, 'audit', 'verify', end)
