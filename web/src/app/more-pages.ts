/**
 * Loads the pages that are seldom the first one. The names of their files, a twentieth of the app's first code, are loaded
 * after the first view.
 */
export const MORE_PAGES = {
  ConfirmPage: async () => (await import('../features/sign-in/confirm-page.tsx')).ConfirmPage,
  CallbackPage: async () => (await import('../features/sign-in/callback-page.tsx')).CallbackPage,
  ResetPage: async () => (await import('../features/sign-in/reset-page.tsx')).ResetPage,
  SearchPage: async () => (await import('../features/search/search-page.tsx')).SearchPage,
  AdminFrame: async () => (await import('./admin/admin-frame.tsx')).AdminFrame,
  AdminPage: async () => (await import('./admin/admin-page.tsx')).AdminPage,
  PageEditorPage: async () =>
    (await import('../features/appearance/page-editor/page-editor-page.tsx')).PageEditorPage,
  SchedulePage: async () => (await import('../features/schedule/schedule-page.tsx')).SchedulePage,
  ChannelsPage: async () => (await import('./admin/channels-page.tsx')).ChannelsPage,
  SubmissionsPage: async () => (await import('../features/submissions/submissions-page.tsx')).SubmissionsPage,
  ModerationPage: async () => (await import('../features/moderation/moderation-page.tsx')).ModerationPage,
  TakeoverPage: async () => (await import('../features/takeover/takeover-page.tsx')).TakeoverPage,
  AuditPage: async () => (await import('../features/audit/audit-page.tsx')).AuditPage,
  ControlPage: async () => (await import('./admin/control-page.tsx')).ControlPage,
  ProfileFrame: async () => (await import('../features/profile/profile-frame.tsx')).ProfileFrame,
  NamesPage: async () => (await import('../features/profile/names-page.tsx')).NamesPage,
  OwnPlaylistsPage: async () => (await import('./pages/profile/playlists-page.tsx')).OwnPlaylistsPage,
  OwnSubmissionsPage: async () =>
    (await import('../features/profile/own-submissions-page.tsx')).OwnSubmissionsPage,
  OwnRemindersPage: async () => (await import('./pages/profile/reminders-page.tsx')).OwnRemindersPage,
  OwnSignInPage: async () => (await import('./pages/profile/sign-in-page.tsx')).OwnSignInPage,
  OwnDevicesPage: async () => (await import('./pages/profile/devices-page.tsx')).OwnDevicesPage,
  DataPage: async () => (await import('../features/profile/data-page.tsx')).DataPage,
  MemberPage: async () => (await import('./pages/public-member-page.tsx')).PublicMemberPage,
  PlaylistPage: async () => (await import('../features/playlists/playlist-page.tsx')).PlaylistPage,
  PlaylistPlayerPage: async () => (await import('../features/playlists/player/player-page.tsx')).PlayerPage,
  HistoryPage: async () => (await import('./pages/history-page.tsx')).HistoryPage,
  AiringPage: async () => (await import('./pages/airing-page.tsx')).AiringPage,
  FirestickPage: async () => (await import('./pages/firestick-page.tsx')).FirestickPage,
  PairPage: async () => (await import('../features/pair/pair-page.tsx')).PairPage,
  RemotePage: async () => (await import('../features/remote/remote-page.tsx')).RemotePage,
  NotFoundPage: async () => (await import('./pages/not-found-page.tsx')).NotFoundPage,
}
