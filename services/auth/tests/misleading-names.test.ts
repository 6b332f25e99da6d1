import { describe, expect, it } from 'vitest'
import { newEmail, PASSWORD, signUp, type TestAuth, type TestSession } from './_harness.ts'
import { startForTest } from './_per-test.ts'
import { api, post, staff } from './_requests.ts'

describe('a misleading name', () => {
  const rename = (auth: TestAuth, viewer: TestSession, change: object) =>
    api(auth, 'PATCH', `/profiles/${viewer.user.id}`, viewer, change)

  it('is refused as a display name, with the reason: look-alikes of roles, of the station, of staff, mixed alphabets', async () => {
    const auth = await startForTest({ BRAND_NAME: 'Loop & Tide TV' })
    const moderator = await staff(auth, 'moderator')
    expect((await rename(auth, moderator, { artistName: 'Grace Hopper' })).status).toBe(200)
    const known = await signUp(auth)
    await rename(auth, known, { handle: 'ada_lovelace' })
    const viewer = await signUp(auth)
    for (const artistName of [
      '\u0410dmin',
      'Ad\u200bmin',
      '\u202enimdA is Admin',
      'Looptide Staff',
      'Loop&Tide TV',
      'L\u043e\u043eptide',
      'M0derator',
      '\uff21\uff44\uff4d\uff49\uff4e',
      'Official Support',
      'ᴀᴅᴍɪɴ',
      'Ⓐⓓⓜⓘⓝ',
      '🅰️🅳🅼🅸🅽 Paul',
      '🇦🇩🇲🇮🇳',
      'ADMINPaul',
      'Gr\u00e1ce Hopper',
      'GRACE  H0PPER',
      'adа_lovelace',
      'ada_love1ace',
      'P\u0430ula',
    ]) {
      const { status, body } = await rename(auth, viewer, { artistName })
      expect([artistName, status, body.code]).toEqual([artistName, 400, 'validation_failed'])
      expect(body.details).toEqual([{ path: '/artistName', message: body.message }])
    }
  })

  it('is stored without invisible characters', async () => {
    const auth = await startForTest()
    const viewer = await signUp(auth)
    const name = async (artistName: string) => (await rename(auth, viewer, { artistName })).body.artistName
    expect(await name(' Zo\u00eb\u200b \u202e \u0007 Keats ')).toBe('Zo\u00eb Keats')
    expect(await name('\u2066\u200d\u2069')).toBeNull()
    expect(await name(`Zalgo${'\u0351\u036b\u0343'.repeat(20)}`)).toBe('Zalgo\u0351\u036b\u0313\u0351')
    for (const valid of [
      '坂本龍一 Ryuichi',
      'Пётр Чайковский',
      'فيروز',
      'Sound System',
      'Badminton Club',
      'Paul 🇩🇪',
      'ᴍᴀᴅᴍɪɴᴛ',
      '🎧 DJ 99',
      '👩‍🎤 Zo\u00eb',
      'می\u200cخواهم',
    ]) {
      expect(await name(valid)).toBe(valid)
    }
  })

  it('is refused as a handle that looks like another one, and the availability check agrees', async () => {
    const auth = await startForTest()
    const known = await signUp(auth)
    await rename(auth, known, { handle: 'Modern_Bill' })
    const viewer = await signUp(auth)
    for (const handle of [
      'modern_biII',
      'm0dern_bill',
      'rnodern_bill',
      'the_admin',
      'LooptideTV',
      'PaulAdmin',
      'xADMINx',
      'adm1n',
      'm0d',
    ]) {
      const { status, body } = await rename(auth, viewer, { handle })
      expect([handle, status, body.code]).toEqual([handle, 409, 'handle_taken'])
      const check = await api(auth, 'GET', `/profiles/handles/${handle}`, viewer)
      expect(check.body).toEqual({ handle, available: false })
    }
    expect((await rename(auth, known, { handle: 'modern_Bill' })).body.handle).toBe('modern_Bill')
  })

  it('at sign-up gets a neutral handle, and the sign-up succeeds', async () => {
    const auth = await startForTest()
    for (const name of ['Admin', 'Looptide Staff', '\u0410dmin', 'Official']) {
      const { status, body } = await post(auth, '/signup', {
        email: newEmail(),
        password: PASSWORD,
        data: { full_name: name },
      })
      expect(status).toBe(200)
      const profile = await api(auth, 'GET', `/profiles/${body.user.id}`)
      expect(profile.body.handle).toMatch(/^(viewer|dmin)_\d+$/)
    }
  })

  it('from before these rules is kept until it is changed', async () => {
    const auth = await startForTest()
    const viewer = await signUp(auth)
    const old = { handle: 'admin_fan', artistName: 'Admin', handleSkeleton: null }
    await auth.db.updateTable('profiles').set(old).where('userId', '=', viewer.user.id).execute()
    const kept = { handle: 'admin_fan', artistName: 'Admin' }
    expect((await rename(auth, viewer, { ...kept, avatarUrl: null })).body).toMatchObject(kept)
    expect((await rename(auth, viewer, { artistName: 'Admin 2' })).status).toBe(400)
  })
})
