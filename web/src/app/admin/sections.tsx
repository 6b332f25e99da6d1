import type { Permission } from '@looptide/contracts/permissions'
import type { ComponentType } from 'react'
import { lazyPart } from '../../features/admin/lazy-part.ts'

type Load = () => Promise<{ default: ComponentType }>
export interface Section {
  id: string
  title: string
  text: string
  /** What the role must allow for the section to be offered. */
  permission: Permission
  load: Load
  Content: ComponentType
}

/** Defines a section whose code is fetched when it is first opened. */
export const section = (
  id: string,
  { title, text, permission }: Pick<Section, 'title' | 'text' | 'permission'>,
  load: () => Promise<ComponentType>,
): Section => ({
  id,
  title,
  text,
  permission,
  load: async () => ({ default: await load() }),
  Content: lazyPart(load),
})

/**
 * The dashboard's sections; `id` is the value of the `tab` parameter. Five are from docs/product/admin.md §2, the rest
 * ours.
 */
export const SECTIONS: readonly Section[] = [
  section(
    'video-library',
    { title: 'Video Library', text: 'Uploads, metadata, organisation', permission: 'videos:edit' },
    async () => (await import('../../features/library/video-library.tsx')).VideoLibrary,
  ),
  section(
    'home-screen',
    { title: 'Home Screen', text: 'Home layout and featured content', permission: 'home:edit' },
    async () => (await import('../../features/appearance/home-screen/home-screen.tsx')).HomeScreen,
  ),
  section(
    'channels',
    { title: 'Channel Manager', text: 'TV channels with 24/7 streaming', permission: 'schedules:edit' },
    async () => (await import('./channels-section.tsx')).ChannelsSection,
  ),
  section(
    'user-management',
    { title: 'User Management', text: 'Accounts and permissions', permission: 'users:manage' },
    async () => (await import('../../features/users/user-management.tsx')).UserManagement,
  ),
  section(
    'theme-customizer',
    { title: 'Theme Settings', text: 'Appearance and branding', permission: 'themes:edit' },
    async () => (await import('../../features/appearance/theme/theme-customizer.tsx')).ThemeCustomizer,
  ),
  section(
    'submissions',
    { title: 'Submissions', text: 'Videos submitted by viewers', permission: 'submissions:review' },
    async () => (await import('../../features/submissions/submissions-panel.tsx')).SubmissionsPanel,
  ),
]

/** The section that opens without the parameter: the first that the role allows. */
export const defaultSection = (may: (permission: Permission) => boolean): string =>
  SECTIONS.find(({ permission }) => may(permission))?.id ?? ''
