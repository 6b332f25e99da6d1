import { expect, it } from 'vitest'
import { paths } from './paths.ts'

it('keeps the paths that bookmarks and emails use', () => {
  const patterns = Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, path()]))
  expect(patterns).toMatchInlineSnapshot(`
    {
      "admin": "/admin",
      "airing": "/history/:channelId/:at",
      "audit": "/admin/audit",
      "callback": "/auth/callback",
      "channel": "/admin/channels/:id",
      "channels": "/admin/channels",
      "confirm": "/auth/confirm",
      "control": "/control",
      "createAccount": "/members#create-account",
      "devices": "/members/my-devices",
      "firestick": "/firestick",
      "history": "/history",
      "home": "/home",
      "linkedAccounts": "/members/sign-in#linked-accounts",
      "live": "/live",
      "member": "/members/:handle",
      "members": "/members",
      "moderation": "/moderation",
      "ownData": "/members/my-data",
      "ownPlaylists": "/members/my-playlists",
      "ownReminders": "/members/my-reminders",
      "ownSubmissions": "/members/my-submissions",
      "pageEditor": "/admin/pages",
      "pair": "/pair",
      "playlist": "/playlists/:id",
      "playlistPlayer": "/youtube-player",
      "remote": "/remote",
      "reset": "/auth/reset",
      "root": "/",
      "schedule": "/admin/schedule",
      "search": "/search",
      "signIn": "/",
      "signInSettings": "/members/sign-in",
      "streamManager": "/admin?tab=channels",
      "submissions": "/submissions",
      "takeover": "/takeover",
      "video": "/videos/:videoId",
      "videos": "/videos",
    }
  `)
})

it('adds parameters to the URL, except empty ones', () => {
  expect(paths.search({ q: 'a & b', artist: '' })).toBe('/search?q=a+%26+b')
  expect(paths.signIn('/live?channel=a')).toBe('/?next=%2Flive%3Fchannel%3Da')
  expect(paths.admin('video-library')).toBe('/admin?tab=video-library')
})
