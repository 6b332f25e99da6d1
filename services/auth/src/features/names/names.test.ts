import { handleSkeleton, lookAlikeKey } from '@looptide/service-kit/text/look-alike'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanName, NamePolicy } from './name-policy.ts'
import { isOneScript } from './scripts.ts'

const policy = new NamePolicy(['Looptide', 'Looptide'])
const handles = fc.stringMatching(/^[A-Za-z0-9_]{3,30}$/)

describe('the skeleton of a handle', () => {
  it('is equal for handles that differ in case, or in 0 and O, 1, l and I, m and rn', () => {
    fc.assert(
      fc.property(handles, (drawn) => {
        // A capital I looks like an l but is lower-cased to an i.
        const handle = drawn.replaceAll('I', 'i')
        const lookAlike = handle.toLowerCase().replaceAll('o', '0').replaceAll('l', 'I').replaceAll('m', 'rn')
        expect(handleSkeleton(lookAlike)).toBe(handleSkeleton(handle))
      }),
    )
  })

  it('differs for handles that do not look alike', () => {
    const different = ['mail', 'mall', 'ada', 'eda', 'dj_1', 'dj_2', 'zoe', 'zo', 'norm', 'nor']
    expect(new Set(different.map(handleSkeleton)).size).toBe(different.length)
  })

  it('is equal for look-alike letters of other alphabets', () => {
    expect(handleSkeleton('\u0430d\u0430')).toBe(handleSkeleton('ada'))
    expect(handleSkeleton('\u{1d41a}da')).toBe(handleSkeleton('ada'))
    expect(lookAlikeKey('\u0391DM\u0406N')).toBe(lookAlikeKey('admin'))
  })

  it('is equal for forms of a letter', () => {
    for (const look of ['ʙɪʟʟ', '🅑🅘🅛🅛', '🇧🇮🇱🇱', 'Ⓑⓘⓛⓛ', 'ɓɨłƚ'])
      expect(handleSkeleton(look)).toBe(handleSkeleton('bill'))
  })
})

describe('a name', () => {
  it.each([
    'admin',
    'Admin_42',
    '42admin',
    'chatAdmin',
    'The Administrator',
    'ADMlN',
    '4dm1n',
    'Àdmín',
    'moderator',
    'supermoderator',
    'Mod',
    'MODS',
    'Staff of the channel',
    'Looptide',
    'xx_l00ptide_xx',
    'Official Support Team',
    'system',
    'Looptide Staff',
    'l o o p t i d e',
    'ᴀᴅᴍɪɴ',
    'Aᴅᴍɪɴ Paul',
    'paulᴀᴅᴍɪɴ',
    'Ⓐⓓⓜⓘⓝ',
    'Ⓐⓓⓜⓘⓝ of this channel',
    '🅐🅓🅜🅘🅝 Paul',
    '🄰🄳🄼🄸🄽 Paul',
    '🅰️🅳🅼🅸🅽 Paul',
    '🅰dmin',
    '🇦🇩🇲🇮🇳',
    'Paul 🇦🇩🇲🇮🇳',
    'Ađmin',
    'ʟᴏᴏᴘᴛɪᴅᴇ',
    'ADMINPaul',
    'PaulAdmin',
    'PaulADMIN',
    'xADMINx',
    'xXAdminXx',
    'xX_Admin_Xx',
    'DJAdmin',
    'aDmiN Paul',
    'TheModerator',
    'PaulStaff',
    'Admin2Paul',
    'Paul4dm1n',
    '@dmin Paul',
    'Paul@dmin',
    '@admin',
    'ADMIN!',
    '管理admin',
    'ÀdmínPaul',
    'ADRNINPaul',
    'STAFFofLooptide',
    'S⊤AFF of the channel',
    'Admin×Paul',
  ])('is reserved: %s', (name) => expect(policy.isReserved(name)).toBe(true))

  it.each([
    'Ada',
    'Badminton',
    'Falstaff',
    'Stafford',
    'Modest Mouse',
    'System of a Down',
    'Sound System',
    'Ada Official',
    'Root Down',
    'Loop',
    'Tide',
    'viewer_1234',
    '坂本龍一',
    'Madmint',
    'MADMINT',
    'BADMINTON',
    'Modern',
    'ModernPaul',
    'Admiral',
    'Admire',
    'adminpaul',
    'FLAGSTAFF',
    'Adam In',
    'PaulAdams',
    'Paul 🇩🇪',
    'ᴘᴀᴜʟ',
    '🅿🅰🆄🅻',
    'Łukasz',
    'Søren Ødegård',
    'DJ MC 99',
    'Paul × Ada',
  ])('is not reserved: %s', (name) => expect(policy.isReserved(name)).toBe(false))

  it('is reserved with any letter of a reserved word in any of its forms, alone and with other words', () => {
    const words = ['admin', 'admins', 'administrator', 'moderator', 'moderators', 'staff', 'looptide']
    const forms = new Map([...new Set(words.join(''))].map((letter) => [lookAlikeKey(letter), ['']]))
    for (let point = 0; point < 0x20000; point += 1) {
      const form = String.fromCodePoint(point)
      if (/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(form)) forms.get(lookAlikeKey(form))?.push(form)
    }
    for (const known of forms.values()) expect(known.length).toBeGreaterThan(40)
    const formOf = (letter: string) => fc.constantFrom(...(forms.get(lookAlikeKey(letter)) ?? []).slice(1))
    const written = fc
      .constantFrom(...words)
      .chain((word) => fc.tuple(...[...word].map((letter) => fc.oneof(fc.constant(letter), formOf(letter)))))
      .map((letters) => letters.join(''))
    fc.assert(
      fc.property(
        written,
        fc.constantFrom('', 'Paul ', '坂本 '),
        fc.constantFrom('', ' of the channel', ' 42'),
        (word, before, after) => policy.isReserved(before + word + after),
      ),
      { numRuns: 3000 },
    )
  })

  it('is reserved with a reserved word as parts of a word, wherever the case changes', () => {
    const written = fc.constantFrom('admin', 'admins', 'staff', 'looptide').chain((word) => {
      const capitalised = word.charAt(0).toUpperCase() + word.slice(1)
      return fc.constantFrom(
        `paul${capitalised}`,
        `${capitalised}Paul`,
        `${word.toUpperCase()}Paul`,
        `x${word.toUpperCase()}x`,
        `PAUL${capitalised}`,
        `paul7${word}7paul`,
      )
    })
    fc.assert(fc.property(written, (name) => policy.isReserved(name)))
  })

  it('is checked in linear time, whatever its words', () => {
    fc.assert(
      fc.property(fc.constantFrom('the', 'mod', 'mods', 'tv', 'admin', 'chat'), fc.nat(30), (word, count) => {
        policy.isReserved(`${word.repeat(count)}x`)
      }),
    )
    expect(new NamePolicy(['TVTV', 'TV']).isReserved(`${'tv'.repeat(50)}x`)).toBe(false)
    expect(new NamePolicy(['TVTV', 'TV']).isReserved('tv'.repeat(50))).toBe(true)
  })
})

describe('a display name', () => {
  it('does not change when it is cleaned again, and has no invisible characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        let name: string | null
        try {
          name = cleanName(text)
        } catch {
          return
        }
        if (name === null) return
        expect(name).not.toMatch(/[\p{Cc}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069]/u)
        expect(cleanName(name)).toBe(name)
        expect(isOneScript(name)).toBe(true)
      }),
    )
  })

  it.each(['Ada 2', 'Пётр', '東京 Tokyo ラジオ', '서울 Seoul', 'أم كلثوم', 'Ωmega'.slice(1), '🎧 99'])(
    'has one script, or several that are written together: %s',
    (name) => expect(isOneScript(name)).toBe(true),
  )

  it.each(['P\u0430ula', 'Ωmega', 'Ada ᎪᏞ', '東京 Москва', '\u{10400}da'])(
    'has mixed or historic scripts: %s',
    (name) => expect(isOneScript(name)).toBe(false),
  )
})
