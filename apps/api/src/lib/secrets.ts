import { hkdfSync, randomBytes } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncToDisk } from './disk.ts'
import { OperatorError } from './operator-error.ts'

/** The purpose of a key. Keys of different purposes are independent. */
export type KeyPurpose =
  | 'session-token'
  | 'click-id'
  | 'site-keys'
  | 'password-column'
  | 'authenticators'
  | 'passkey-challenges'
  | 'provider'
  | 'payee-accounts'
  | 'payment-files'
  | 'account-digests'
  | 'captcha'
  | 'sign-in-waits'
  | 'known-device'
  | 'mails'
  | 'unsubscribe'
  | 'webhooks'
  | 'sender'
  | 'held-decisions'
  | 'link-tests'

const secretBytes = 32

/** The current secret, and earlier ones, newest first. */
export type Secrets = { secret: Buffer; formerSecrets: readonly Buffer[] }

/**
 * Reads the key file (one key per line, newest first), which is created on the first start. Without it, stored
 * passwords and postback keys cannot be decrypted.
 *
 * @throws if others can read the file, or if it does not contain keys.
 */
export async function provideSecrets(path: string): Promise<Secrets> {
  return (await findSecrets(path)) ?? (await makeSecrets(path))
}

/**
 * Adds a new first key to the file. Processes use it after a restart. Older keys stay, because links and
 * encrypted values made with them are still in use.
 *
 * @throws if there is no key file yet.
 */
export async function rotateSecret(path: string): Promise<void> {
  const secrets = await findSecrets(path)
  if (!secrets) throw new OperatorError(`There is no secret key file ${path} yet.`)
  const all = [randomBytes(secretBytes), secrets.secret, ...secrets.formerSecrets]
  await writeWhole(path, all, rename)
}

/** Derives the 32-byte key for a purpose, deterministically. */
export function deriveKey(secret: Buffer, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `tallyroom ${purpose} 1`, 32))
}

/** Undefined if there is no file yet. */
export async function findSecrets(path: string): Promise<Secrets | undefined> {
  const entry = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new OperatorError(`The secret key file ${path} can't be read: ${error.message}`, {
      cause: error,
    })
  })
  if (!entry) return undefined
  if (process.platform !== 'win32' && (entry.mode & 0o077) !== 0) {
    throw new OperatorError(
      `The secret key file ${path} is open to other users of this machine. ` +
        `Close it with: chmod 600 ${path}`,
    )
  }
  const lines = (await readFile(path, 'utf8')).trim().split(/\n\s*/)
  const [secret, ...formerSecrets] = lines.map((line) => parseSecret(line.trim(), path))
  return secret && { secret, formerSecrets }
}

function parseSecret(line: string, path: string): Buffer {
  const secret = Buffer.from(line, 'base64')
  if (secret.length !== secretBytes || secret.toString('base64') !== line) {
    throw new OperatorError(
      `The secret key file ${path} must have one key per line (${secretBytes} bytes in base64). ` +
        'Restore it from a backup: no other key can decrypt the stored data.',
    )
  }
  return secret
}

async function makeSecrets(path: string): Promise<Secrets> {
  await mkdir(dirname(path), { recursive: true })
  // Unlike a rename, a link never replaces an existing file: of two processes, one wins.
  await writeWhole(path, [randomBytes(secretBytes)], (unfinished) =>
    link(unfinished, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    }),
  )
  const secrets = await findSecrets(path)
  if (!secrets) throw new OperatorError(`The secret key file ${path} has vanished.`)
  return secrets
}

/** Readers see the whole file or none, even after a power failure. */
async function writeWhole(
  path: string,
  secrets: readonly Buffer[],
  putInPlace: (unfinished: string, path: string) => Promise<void>,
): Promise<void> {
  const unfinished = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`
  const file = await open(unfinished, 'wx', 0o600)
  try {
    await file.writeFile(secrets.map((secret) => `${secret.toString('base64')}\n`).join(''))
    await file.sync()
    await file.close()
    await chmod(unfinished, 0o600)
    await putInPlace(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
  await syncToDisk(dirname(path))
}
