import type { ComponentType } from 'react'
import { lazyPart } from './lazy-part.ts'

type Load = () => Promise<{ default: ComponentType }>
export type Section = { id: string; title: string; text: string; load: Load; Content: ComponentType }

/** A section whose code is fetched when it is first opened. */
export const section = (
  id: string,
  title: string,
  text: string,
  load: () => Promise<ComponentType>,
): Section => ({
  id,
  title,
  text,
  load: async () => ({ default: await load() }),
  Content: lazyPart(load),
})

/** The dashboard's sections by the ids of the `tab` parameter: the five of docs/product/admin.md §2, then our own. */
export const SECTIONS: readonly Section[] = [
  section(
    'video-library',
    'Video Library',
    'Uploads, metadata, organisation',
    async () => (await import('../library/video-library.tsx')).VideoLibrary,
  ),
  section(
    'home-screen',
    'Home Screen',
    'Home layout and featured content',
    async () => (await import('../home-screen/home-screen.tsx')).HomeScreen,
  ),
  section(
    'channels',
    'Channel Manager',
    'TV channels with 24/7 streaming',
    async () => (await import('../channels/channels-section.tsx')).ChannelsSection,
  ),
  section(
    'user-management',
    'User Management',
    'Accounts and permissions',
    async () => (await import('../users/user-management.tsx')).UserManagement,
  ),
  section(
    'theme-customizer',
    'Theme Settings',
    'Appearance and branding',
    async () => (await import('../theme/theme-customizer.tsx')).ThemeCustomizer,
  ),
  section(
    'submissions',
    'Submissions',
    'Videos that viewers added',
    async () => (await import('../submissions/submissions-panel.tsx')).SubmissionsPanel,
  ),
]

export const DEFAULT_SECTION = 'video-library'
