import { hkdfSync, randomBytes } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** What a key is for. A key of one purpose is of no use for another. */
export type KeyPurpose =
  | 'session-token'
  | 'click-id'
  | 'site-keys'
  | 'password-column'
  | 'captcha'
  | 'sign-in-waits'

const secretBytes = 32

/**
 * The installation's secret: the content of the key file, which is made on the first start. Without it
 * stored passwords and postback keys can't be read again.
 *
 * @throws when the file can be read by others, or does not hold a key.
 */
export async function provideSecret(path: string): Promise<Buffer> {
  return (await readSecret(path)) ?? (await makeSecret(path))
}

/** A key of 32 bytes for one purpose, the same for one secret every time. */
export function deriveKey(secret: Buffer, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `tallyroom ${purpose} 1`, 32))
}

async function readSecret(path: string): Promise<Buffer | undefined> {
  const entry = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`The secret key file ${path} can't be read: ${error.message}`, { cause: error })
  })
  if (!entry) return undefined
  if (process.platform !== 'win32' && (entry.mode & 0o077) !== 0) {
    throw new Error(
      `The secret key file ${path} is open to other users of this machine. ` +
        `Close it with: chmod 600 ${path}`,
    )
  }
  const text = (await readFile(path, 'utf8')).trim()
  const secret = Buffer.from(text, 'base64')
  if (secret.length !== secretBytes || secret.toString('base64') !== text) {
    throw new Error(
      `The secret key file ${path} does not hold a key (${secretBytes} bytes in base64). ` +
        'Restore it from a backup: what it has sealed can be read with no other key.',
    )
  }
  return secret
}

/** Others see the file whole or not at all; of two processes that make it at once, one's key stays. */
async function makeSecret(path: string): Promise<Buffer> {
  await mkdir(dirname(path), { recursive: true })
  const unfinished = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`
  const file = await open(unfinished, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(secretBytes).toString('base64')}\n`)
    await file.sync()
    await file.close()
    await chmod(unfinished, 0o600)
    // Unlike a rename, a link never replaces a key that is there already.
    await link(unfinished, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(unfinished, { force: true })
  }
  await syncFolder(dirname(path))

  const secret = await readSecret(path)
  if (!secret) throw new Error(`The secret key file ${path} has vanished.`)
  return secret
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
