import { expect, test } from 'vitest'
// By this path, since vitest.config replaces what is imported as `./hash-cost.ts`.
import { HASH_COST } from '../lib/hash-cost.ts'
import { isUsableBcrypt } from './old-password.ts'
import { hashPassword, hashToTry, needsRehash, strengthenMd5, verifyPassword } from './password.ts'

/** Of 'correct horse', with 64 KiB and one pass. */
const cheapHash =
  '$argon2id$v=19$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MjZP1+1U9JUbDWvDvtLyEsZiNXOKEUxfi6O2oe46uxA'

test('a password matches its own hash and no other', async () => {
  const hash = await hashPassword('correct horse', HASH_COST)
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(await verifyPassword('correct horse', hash)).toBe(true)
  expect(await verifyPassword('correct horsE', hash)).toBe(false)
  expect(await verifyPassword('', hash)).toBe(false)
})

test('the same password never gets the same hash twice', async () => {
  expect(await hashPassword('same')).not.toBe(await hashPassword('same'))
})

test('accents match however they were composed', async () => {
  expect(await verifyPassword('e\u0301tude', await hashPassword('\u00e9tude'))).toBe(true)
})

test('without an account, no password matches, and finding out takes as much work', async () => {
  expect(await verifyPassword('', undefined)).toBe(false)
  expect(needsRehash(hashToTry(undefined))).toBe(false)
})

test('a hash with another cost still matches and needs replacing', async () => {
  expect(await verifyPassword('correct horse', cheapHash)).toBe(true)
  expect(needsRehash(cheapHash)).toBe(true)
  expect(needsRehash(await hashPassword('x'))).toBe(false)
})

test('a malformed hash is our error, not a wrong password', async () => {
  await expect(verifyPassword('x', 'plain text')).rejects.toThrow('malformed')
})

/** Of 'correct horse', at cost 4. */
const bcryptHash = '$2b$04$C0OzxiiDfqW1qjUbklymXuGgeFhOmhjGNndVhOgXgCRBGiJ2IVCXG'

test('a bcrypt hash of an old server matches and needs replacing', async () => {
  expect(await verifyPassword('correct horse', bcryptHash)).toBe(true)
  expect(await verifyPassword('correct horse', bcryptHash.replace('$2b$', '$2y$'))).toBe(true)
  expect(await verifyPassword('correct horsE', bcryptHash)).toBe(false)
  expect(needsRehash(bcryptHash)).toBe(true)
})

test('an md5 hash matches once it was wrapped, and needs replacing', async () => {
  const kept = await strengthenMd5('5F4DCC3B5AA765D61D8327DEB882CF99') // of 'password'
  expect(kept).toMatch(/^md5\$argon2id\$/)
  expect(kept.toLowerCase()).not.toContain('5f4dcc3b5aa765d61d8327deb882cf99')
  expect(await verifyPassword('password', kept)).toBe(true)
  expect(await verifyPassword('Password', kept)).toBe(false)
  // A stolen list of the old server's hashes contains no password that works.
  expect(await verifyPassword('5f4dcc3b5aa765d61d8327deb882cf99', kept)).toBe(false)
  expect(needsRehash(kept)).toBe(true)
})

test.each([
  [bcryptHash, true],
  [bcryptHash.replace('$04$', '$14$'), true],
  [bcryptHash.replace('$04$', '$15$'), false],
  [bcryptHash.replace('$04$', '$31$'), false],
  [bcryptHash.replace('$2b$', '$2x$'), false],
  [bcryptHash.slice(0, -1), false],
])('%s may be imported: %s', (hash, isUsable) => {
  expect(isUsableBcrypt(hash)).toBe(isUsable)
})
