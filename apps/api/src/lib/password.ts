import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { atMost } from './at-most.ts'
import { HASH_COST, type HashCost } from './hash-cost.ts'
import { matchesBcrypt, md5Of } from './old-password.ts'

const saltBytes = 16
const tagBytes = 32

/**
 * Hashes a password with argon2id and a new salt. The result contains its parameters:
 * `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<tag>`.
 *
 * @throws BusyError if the queue is full.
 */
export async function hashPassword(password: string, cost = HASH_COST): Promise<string> {
  const salt = randomBytes(saltBytes)
  return write({ ...cost, salt, tag: await derive(password, { ...cost, salt, tagBytes }) })
}

/**
 * Whether the password matches the hash. Without a hash (no such account), returns false after the same work,
 * so that timing reveals nothing.
 *
 * Also accepts hashes from an old server: bcrypt (`$2b$…`), and md5 as wrapped by {@link strengthenMd5}.
 *
 * @throws BusyError if the queue is full.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  if (hash?.startsWith('$2')) return matchesBcrypt(password, hash)
  if (hash?.startsWith(md5Mark)) return matches(md5Of(password), hash.slice(md5Mark.length))
  return matches(password, hashToTry(hash))
}

/** What a password is compared with: without an account, a hash of the same cost that no password has. */
export const hashToTry = (hash: string | undefined): string => hash ?? hashOfNothing

/**
 * Wraps a plain md5 hash, which is easy to reverse, for storing: `md5$argon2id$…` is the argon2id hash of its
 * hex digits.
 */
export const strengthenMd5 = async (md5: string): Promise<string> =>
  md5Mark + (await hashPassword(md5.toLowerCase()))

const md5Mark = 'md5'

/** Whether the hash uses another algorithm or cost than new ones. */
export function needsRehash(hash: string): boolean {
  if (hash.startsWith('$2') || hash.startsWith(md5Mark)) return true
  const { memory, passes, parallelism } = read(hash)
  return (
    memory !== HASH_COST.memory ||
    passes !== HASH_COST.passes ||
    parallelism !== HASH_COST.parallelism
  )
}

type Hash = HashCost & { salt: Buffer; tag: Buffer }

/** A random tag, which matches no known password. */
const hashOfNothing = write({
  ...HASH_COST,
  salt: randomBytes(saltBytes),
  tag: randomBytes(tagBytes),
})

const runArgon2 = promisify(argon2)

/** Each hash takes 19 MiB and a thread. A full queue is about two seconds of work. */
const hashesAtOnce = 2 * availableParallelism()
const inTurn = atMost({ running: hashesAtOnce, waiting: 32 * hashesAtOnce })

async function matches(password: string, hash: string): Promise<boolean> {
  const { tag, ...made } = read(hash)
  return timingSafeEqual(tag, await derive(password, { ...made, tagBytes: tag.length }))
}

function derive(
  password: string,
  {
    memory,
    passes,
    parallelism,
    salt,
    tagBytes: tagLength,
  }: HashCost & { salt: Buffer; tagBytes: number },
): Promise<Buffer> {
  // Normalizes accents, which keyboards compose differently.
  const message = Buffer.from(password.normalize('NFC'))
  return inTurn(() =>
    runArgon2('argon2id', { message, nonce: salt, memory, passes, parallelism, tagLength }),
  )
}

function write({ memory, passes, parallelism, salt, tag }: Hash): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
}

function read(hash: string): Hash {
  const [, memory, passes, parallelism, salt, tag] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/-]+)\$([\w+/-]+)$/.exec(hash) ?? []
  if (salt === undefined || tag === undefined)
    throw new Error('a stored password hash is malformed')
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
