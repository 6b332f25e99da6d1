import type { Permission } from '@looptide/contracts/permissions'
import { Component, type ComponentType, type ReactNode, Suspense, useState } from 'react'
import { lazyPart } from '../../features/admin/lazy-part.ts'
import { renewFailedParts } from '../../lib/browser/failed-parts.ts'
import { hasNewRelease } from '../../lib/browser/new-release.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Spinner } from '../../ui/spinner.tsx'

export interface Section {
  id: string
  title: string
  text: string
  /** What the role must allow for the section to be offered. */
  permission: Permission
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
    async () => (await import('../../features/library/library-panel.tsx')).LibraryPanel,
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

/** Renders a section, or an error notice if its code cannot be fetched, without affecting the rest of the page. */
export function SectionContent({ section }: { section: Section }) {
  const { Content } = section
  const [attempt, setAttempt] = useState(0)
  const retry = async () => {
    // After a new release the old scripts no longer exist; only a reload fetches the new ones.
    if (await hasNewRelease()) window.location.reload()
    else setAttempt(attempt + 1)
  }
  return (
    <SectionBoundary key={attempt} onRetry={() => void retry()}>
      <Suspense fallback={<Spinner text="Loading..." className="text-muted" />}>
        <Content />
      </Suspense>
    </SectionBoundary>
  )
}

class SectionBoundary extends Component<
  { onRetry: () => void; children: ReactNode },
  { hasFailed: boolean }
> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch() {
    renewFailedParts()
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return <ErrorNotice text="Failed to load this section." onRetry={this.props.onRetry} />
  }
}
