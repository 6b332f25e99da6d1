import { DEFAULT_THEME, type ThemeBody } from '@looptide/contracts/http/admin'
import { useState } from 'react'
import { forgetLocalTheme } from '../../../lib/theme/local-theme.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { toast } from '../../../ui/toast.ts'
import { useAdminSave } from '../../admin/admin-save.ts'
import { OtherEditors } from '../../admin/drafts/other-editors.tsx'
import { AssetsTab } from './assets-tab.tsx'
import { CardsTab } from './cards-tab.tsx'
import { ColorsTab } from './colors-tab.tsx'
import { LayoutTab } from './layout-tab.tsx'
import { PresetsTab } from './presets-tab.tsx'
import { THEME_DRAFT } from './save-theme-draft.ts'
import { SavedThemes } from './saved-themes.tsx'
import { ThemeConflict } from './theme-conflict.tsx'
import { ThemeSample } from './theme-sample.tsx'
import { TypographyTab } from './typography-tab.tsx'
import { type ThemeDraft, useThemeDraft } from './use-theme-draft.ts'
import { useThemeSave } from './use-theme-save.ts'

const HEADING_ID = 'theme-customizer'

type TabId = 'presets' | 'colors' | 'typography' | 'layout' | 'assets' | 'cards'

/** Theme Customizer (docs/product/admin.md §2): presets, colors, typography, layout, images, cards and saved themes. */
export function ThemeCustomizer() {
  const draft = useThemeDraft()
  const { save, saveLocal, isBusy } = useThemeSave(draft)
  useAdminSave(saveLocal)
  const { theme } = draft
  if (!theme) {
    return (
      <section className="grid gap-6" aria-labelledby={HEADING_ID}>
        <Heading />
        {draft.hasFailed ? (
          <ErrorNotice text="Failed to load the theme." onRetry={draft.retry} />
        ) : (
          <Skeleton className="h-96" />
        )}
      </section>
    )
  }
  return (
    <section className="grid gap-6" aria-labelledby={HEADING_ID}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Heading />
        <Switch label="Live Preview" isOn={draft.isLive} onChange={draft.setLive} />
        <Button disabled={!draft.isDirty} onClick={() => draft.discard()}>
          Discard Changes
        </Button>
        <Button
          tone="primary"
          isBusy={isBusy}
          disabled={draft.conflict !== undefined}
          onClick={() => void save().catch(ignoreShownError)}
        >
          {isBusy ? 'Saving...' : 'Save Theme'}
        </Button>
      </div>
      <OtherEditors draftKey={THEME_DRAFT} what="the theme" />
      {draft.conflict && <ThemeConflict draft={draft} conflict={draft.conflict} />}
      <ThemeStatus draft={draft} />
      <ThemeTabs draft={draft} theme={theme} />
      <SavedThemes shown={theme} onChoose={(saved) => apply(draft, theme, saved, 'Previously saved theme')} />
    </section>
  )
}

const Heading = () => (
  <h2 id={HEADING_ID} className="mr-auto text-xl font-semibold">
    Theme Customizer
  </h2>
)

function ThemeTabs({ draft, theme }: { draft: ThemeDraft; theme: ThemeBody }) {
  const [tab, setTab] = useState<TabId>('presets')
  const part = { theme, onChange: draft.change }
  return (
    <div className="grid items-start gap-6 2xl:grid-cols-[minmax(0,1fr)_26rem]">
      <Tabs<TabId>
        label="Theme settings"
        listClassName="flex-wrap"
        value={tab}
        onChange={setTab}
        tabs={[
          {
            id: 'presets',
            label: 'Presets',
            content: (
              <PresetsTab
                theme={theme}
                onChoose={(preset) => apply(draft, theme, preset.theme, preset.name)}
              />
            ),
          },
          { id: 'colors', label: 'Colors', content: <ColorsTab {...part} /> },
          { id: 'typography', label: 'Typography', content: <TypographyTab {...part} /> },
          { id: 'layout', label: 'Layout', content: <LayoutTab {...part} /> },
          { id: 'assets', label: 'Assets', content: <AssetsTab {...part} /> },
          { id: 'cards', label: 'Cards', content: <CardsTab {...part} /> },
        ]}
      />
      <div className="grid gap-3">
        <ThemeSample theme={theme} />
        <Button
          className="justify-self-start"
          onClick={() => apply(draft, theme, DEFAULT_THEME, 'Default theme')}
        >
          Reset to Defaults
        </Button>
      </div>
    </div>
  )
}

/** Shows whether the theme has unsaved changes or is saved only in this browser. */
function ThemeStatus({ draft }: { draft: ThemeDraft }) {
  return (
    <div role="status" className="text-sm empty:hidden">
      {draft.isDirty && (
        <p className="text-muted">
          {draft.isRestored
            ? 'Unsaved changes restored. They are shown only on this page.'
            : 'Unsaved changes, shown only on this page.'}
        </p>
      )}
      {!draft.isDirty && draft.local && (
        <div className="flex flex-wrap items-center gap-3 rounded-md border border-line bg-panel p-3">
          <p className="mr-auto">
            This theme is saved in this browser only. Save it again to apply it for everyone.
          </p>
          <Button onClick={forgetLocalTheme}>Use Shared Theme</Button>
        </div>
      )}
    </div>
  )
}

/** Applies a whole theme to the draft and turns on live preview. */
function apply(draft: ThemeDraft, before: ThemeBody, theme: ThemeBody, name: string): void {
  draft.setLive(true)
  draft.change(theme)
  toast({
    title: 'Theme Applied',
    description: `${name}: click Save to persist.`,
    tone: 'success',
    action: { label: 'Undo', onPress: () => draft.change(before) },
  })
}

/** The failure to save a theme has already been shown as a toast. */
const ignoreShownError = (): void => undefined
