import { rmSync } from 'node:fs'
import { run } from '../project.mjs'

/** What a signature is for, so that one made for something else does not pass. */
const namespace = 'tallyroom-release'

/**
 * Signs an archive with a key that `ssh-keygen -t ed25519` made, as OpenSSH does on every system that a release runs on.
 *
 * @returns the path of the signature
 */
export function sign(archive, keyFile) {
  const signature = `${archive}.sig`
  // ssh-keygen would ask whether to write over it.
  rmSync(signature, { force: true })
  run('ssh-keygen', ['-Y', 'sign', '-q', '-f', keyFile, '-n', namespace, archive])
  return signature
}
