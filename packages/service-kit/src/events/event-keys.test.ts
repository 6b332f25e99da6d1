import { OWNERS, type Owner } from '@looptide/contracts/event'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventKeys, eventPublicKeys, generateKeyPair, publicKeyFor } from './event-keys.ts'

const privateKeys = Object.fromEntries(
  OWNERS.map((owner) => [owner, generateKeyPair().privateKey]),
) as Record<Owner, string>
const publicKeys = eventPublicKeys(privateKeys)
const auth = new EventKeys(privateKeys.auth, publicKeys)
const payload = Buffer.from('{"some":"event"}')
const subject = 'auth.role.changed.v1'

describe('a signature', () => {
  it('is valid only for the signed subject and payload', () => {
    const signature = auth.sign(subject, payload)
    expect(auth.checkSignature(subject, payload, signature)).toBeUndefined()
    expect(auth.checkSignature('auth.user.deleted.v1', payload, signature)).toBe('bad_signature')
    expect(auth.checkSignature(subject, Buffer.from('{"some":"other"}'), signature)).toBe('bad_signature')
    expect(auth.checkSignature(subject, payload, undefined)).toBe('unsigned')
  })

  it('cannot move bytes between the subject and the payload', () => {
    const signature = auth.sign('auth.a', Buffer.from('b\nc'))
    expect(auth.checkSignature('auth.a\nb', Buffer.from('c'), signature)).toBe('bad_signature')
  })

  it('of one owner is invalid for the events of another', () => {
    const chat = new EventKeys(privateKeys.chat, publicKeys)
    expect(auth.checkSignature(subject, payload, chat.sign(subject, payload))).toBe('unknown_key')
  })

  it('that is any other text is invalid and does not throw', () => {
    const id = auth.sign(subject, payload).slice(0, 9)
    const any = fc.oneof(
      fc.string(),
      fc.string().map((text) => id + text),
    )
    fc.assert(
      fc.property(any, (text) => {
        expect(auth.checkSignature(subject, payload, text)).toMatch(/^(unsigned|unknown_key|bad_signature)$/)
      }),
    )
  })
})

describe('keys', () => {
  it('of an owner may be two during a rotation, and both are accepted', () => {
    const next = generateKeyPair()
    const both = `${publicKeys},auth:${next.publicKey}`
    const reader = new EventKeys(undefined, both)
    const renewed = new EventKeys(next.privateKey, both)
    expect(renewed.owner).toBe('auth')
    for (const signer of [auth, renewed])
      expect(reader.checkSignature(subject, payload, signer.sign(subject, payload))).toBeUndefined()
    expect(auth.checkSignature(subject, payload, renewed.sign(subject, payload))).toBe('unknown_key')
  })

  it.each([
    ['a missing owner', publicKeys.replace(/,metadata:[^,]*/, '')],
    [
      'three keys of one owner',
      `${publicKeys},auth:${generateKeyPair().publicKey},auth:${generateKeyPair().publicKey}`,
    ],
    ['an unknown owner', `${publicKeys},radio:${generateKeyPair().publicKey}`],
    ['no key', `${publicKeys},auth:x`],
    ['the same key twice', `${publicKeys},auth:${publicKeyFor(privateKeys.auth)}`],
  ])('with %s are refused', (_what, text) => {
    expect(() => new EventKeys(undefined, text)).toThrow()
  })

  it('of audience may be missing, as on a station without it: its events are refused, and it does not start', () => {
    const others = publicKeys.replace(/,audience:[^,]*/, '')
    const reader = new EventKeys(undefined, others)
    const made = 'audience.request.changed.v1'
    const audience = new EventKeys(privateKeys.audience, publicKeys)
    expect(reader.checkSignature(made, payload, audience.sign(made, payload))).toBe('unknown_key')
    expect(reader.checkSignature(subject, payload, auth.sign(subject, payload))).toBeUndefined()
    expect(() => new EventKeys(privateKeys.audience, others)).toThrow('not among the public keys')
  })

  it('are refused if the private key is malformed or has no public key, in an error that does not contain it', () => {
    const stranger = generateKeyPair().privateKey
    for (const key of ['', 'short', stranger, `${stranger}!`]) {
      let message = ''
      try {
        new EventKeys(key, publicKeys)
      } catch (error) {
        message = String(error)
      }
      expect(message).toContain('signing key')
      if (key !== '') expect(message).not.toContain(key)
    }
  })
})
