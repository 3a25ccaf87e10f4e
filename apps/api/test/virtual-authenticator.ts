import {
  createHash,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import type { NewPasskey, PasskeyAnswer } from '@tallyroom/contract/people/passkeys'

/** What a device signs otherwise than it should. */
export type Twist = {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  /** Whether its owner has given a PIN, a finger or a face. */
  verified?: boolean
  touched?: boolean
  counter?: number
  userHandle?: string | undefined
  /** How it says which maker it is of. What it says then is junk. */
  format?: string
}

type Asked = { challenge: string; rpId?: string; rp?: { id: string }; user?: { id: string } }

/** A device that makes one passkey (ES256), as browsers hand it on. It counts its uses, unless it is told not to. */
export function virtualAuthenticator({
  origin,
  counts = true,
}: {
  origin: string
  counts?: boolean
}) {
  const id = randomBytes(16)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let counter = 0
  let handle = ''

  function create(asked: Asked, twist: Twist = {}): NewPasskey {
    handle = asked.user?.id ?? ''
    const attested = Buffer.concat([Buffer.alloc(16), lengthOf(id), id, coseOf(publicKey)])
    const authData = Buffer.concat([dataOf(asked, { ...twist, attested: true }), attested])
    const { format = 'none' } = twist
    const junk = [
      [text('alg'), number(-7)],
      [text('sig'), bytes(randomBytes(70))],
    ] as const
    const attestationObject = cborMap([
      [text('fmt'), text(format)],
      [text('attStmt'), cborMap(format === 'none' ? [] : junk)],
      [text('authData'), bytes(authData)],
    ])
    return {
      id: id.toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      clientDataJSON: clientOf('webauthn.create', asked, twist).toString('base64url'),
      transports: ['internal'],
    }
  }

  function get(asked: Asked, twist: Twist = {}): PasskeyAnswer {
    const data = dataOf(asked, twist)
    const client = clientOf('webauthn.get', asked, twist)
    const signature = createSign('sha256').update(data).update(sha256(client)).sign(privateKey)
    const userHandle = 'userHandle' in twist ? twist.userHandle : handle
    return {
      id: id.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      clientDataJSON: client.toString('base64url'),
      signature: signature.toString('base64url'),
      ...(userHandle !== undefined && { userHandle }),
    }
  }

  function dataOf(asked: Asked, twist: Twist & { attested?: boolean }): Buffer {
    const { verified = true, touched = true, attested = false } = twist
    const flags = (touched ? 0x01 : 0) | (verified ? 0x04 : 0) | (attested ? 0x40 : 0)
    const count = Buffer.alloc(4)
    if (counts && !attested) counter += 1
    count.writeUInt32BE(twist.counter ?? counter)
    const rpId = twist.rpId ?? asked.rpId ?? asked.rp?.id ?? ''
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags]), count])
  }

  const clientOf = (type: string, asked: Asked, twist: Twist): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: twist.type ?? type,
        challenge: twist.challenge ?? asked.challenge,
        origin: twist.origin ?? origin,
        crossOrigin: false,
      }),
    )

  return { create, get }
}

const sha256 = (content: Buffer): Buffer => createHash('sha256').update(content).digest()

function lengthOf(content: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(content.length)
  return length
}

/** A public key in COSE: kty 2 (EC2), alg -7 (ES256), crv 1 (P-256), x, y. */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return cborMap([
    [number(1), number(2)],
    [number(3), number(-7)],
    [number(-1), number(1)],
    [number(-2), bytes(Buffer.from(x, 'base64url'))],
    [number(-3), bytes(Buffer.from(y, 'base64url'))],
  ])
}

// CBOR, as much of it as passkeys need.
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}
const number = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value))
const bytes = (content: Buffer): Buffer => Buffer.concat([head(2, content.length), content])
const text = (content: string): Buffer =>
  Buffer.concat([head(3, Buffer.byteLength(content)), Buffer.from(content)])
const cborMap = (entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flat()])
