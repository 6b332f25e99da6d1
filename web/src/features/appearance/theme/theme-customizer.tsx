import { DEFAULT_THEME, THEME_FONTS, type ThemeBody } from '@looptide/contracts/http/themes'
import { type CSSProperties, useEffect, useState } from 'react'
import { declareFont, fontFilesOf } from '../../../lib/theme/fonts.ts'
import { forgetLocalTheme } from '../../../lib/theme/local-theme.ts'
import { themeVariables } from '../../../lib/theme/theme-variables.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { ScrollingTabs } from '../../../ui/scrolling-tabs.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { SliderField } from '../../../ui/slider-field.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { toast } from '../../../ui/toast.ts'
import { useAdminSave } from '../../admin/admin-save.ts'
import { ConflictNotice } from '../../admin/drafts/conflict-notice.tsx'
import { OtherEditors } from '../../admin/drafts/other-editors.tsx'
import { useEditorName } from '../../audit/api.ts'
import { useSavedThemes } from './api.ts'
import { AssetsTab } from './assets-tab.tsx'
import { CardsTab } from './cards-tab.tsx'
import { ColorsTab } from './colors-tab.tsx'
import { THEME_DRAFT } from './save-theme-draft.ts'
import { PresetsTab, SavedThemes } from './theme-choices.tsx'
import { changedFields, THEME_LABELS, type VersionedTheme } from './theme-version.ts'
import { type ThemeDraft, useThemeDraft, useThemeSave } from './use-theme-draft.ts'

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
      <section className="grid grid-cols-[minmax(0,1fr)] gap-6" aria-labelledby={HEADING_ID}>
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
    <section className="grid grid-cols-[minmax(0,1fr)] gap-6" aria-labelledby={HEADING_ID}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Heading />
        <Switch label="Live Preview" isOn={draft.isLive} onChange={draft.setLive} />
        {draft.conflict && !isBusy ? (
          <ThemeConflict draft={draft} conflict={draft.conflict} />
        ) : (
          <div className="ml-auto flex flex-wrap justify-end gap-x-4 gap-y-3">
            <Button disabled={!draft.isDirty} onClick={() => draft.discard()}>
              Discard Changes
            </Button>
            <Button tone="primary" isBusy={isBusy} onClick={() => void save().catch(ignoreShownError)}>
              {isBusy ? 'Saving...' : 'Save Theme'}
            </Button>
          </div>
        )}
      </div>
      <OtherEditors draftKey={THEME_DRAFT} what="the theme" />
      <ThemeStatus draft={draft} />
      <ThemeTabs draft={draft} theme={theme} />
      <SavedThemes shown={theme} onChoose={(saved) => apply(draft, theme, saved, 'Previously saved theme')} />
    </section>
  )
}

const Heading = () => (
  <h2 id={HEADING_ID} className="text-xl font-semibold">
    Theme Customizer
  </h2>
)

function ThemeTabs({ draft, theme }: { draft: ThemeDraft; theme: ThemeBody }) {
  const [tab, setTab] = useState<TabId>('presets')
  const part = { theme, onChange: draft.change }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 2xl:grid-cols-[minmax(0,1fr)_26rem]">
      <ScrollingTabs<TabId>
        label="Theme settings"
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

function LayoutTab(props: { theme: ThemeBody; onChange: (part: Partial<ThemeBody>) => void }) {
  return (
    <div className="max-w-md">
      <SliderField
        label="Border Radius"
        min={0}
        max={20}
        unit="px"
        value={props.theme.borderRadius}
        onChange={(borderRadius) => props.onChange({ borderRadius })}
      />
    </div>
  )
}

const FONTS = THEME_FONTS.map((font) => ({ value: font, label: font }))

function TypographyTab(props: { theme: ThemeBody; onChange: (part: Partial<ThemeBody>) => void }) {
  const { theme, onChange } = props
  return (
    <div className="grid max-w-md gap-6">
      <SelectField
        label="Font Family"
        choices={FONTS}
        value={theme.fontFamily}
        onChange={(fontFamily) => onChange({ fontFamily })}
      />
      <SliderField
        label="Font Size"
        min={12}
        max={24}
        unit="px"
        value={theme.fontSize}
        onChange={(fontSize) => onChange({ fontSize })}
      />
    </div>
  )
}

/** Lists what another admin has changed in the theme since the draft was started. */
function ThemeConflict({ draft, conflict }: { draft: ThemeDraft; conflict: VersionedTheme }) {
  const before = draft.base?.theme
  // The ETag is made of the saved theme's id.
  const saved = useSavedThemes().data?.items.find(({ id }) => conflict.etag.includes(id))
  return (
    <ConflictNotice
      title="Another admin has saved a theme."
      changedBy={useEditorName(saved?.createdBy)}
      onMerge={draft.merge}
      onOverwrite={draft.overwrite}
    >
      <ul className="grid gap-0.5">
        {before &&
          changedFields(before, conflict.theme).map((field) => (
            <li key={field} className="break-words">
              <span className="text-muted">{THEME_LABELS[field]}: </span>
              {valueText(before[field])} → {valueText(conflict.theme[field])}
            </li>
          ))}
      </ul>
    </ConflictNotice>
  )
}

const valueText = (value: ThemeBody[keyof ThemeBody]): string => (value === null ? 'none' : String(value))

/** Sample of the app's header and hero in a theme, independent of the page's own theme. */
function ThemeSample({ theme }: { theme: ThemeBody }) {
  const { fontFamily } = theme
  useEffect(() => {
    void fontFilesOf(fontFamily).then((files) => declareFont(fontFamily, files))
  }, [fontFamily])
  const look = { ...themeVariables(theme), fontSize: `${theme.fontSize}px` } as CSSProperties
  return (
    <section aria-label="Sample">
      <div style={look} className="overflow-hidden rounded-lg border border-line bg-deep font-sans text-text">
        <div className="flex items-center gap-[0.75em] border-b border-line bg-panel p-[0.875em]">
          {theme.logoUrl ? (
            <img src={theme.logoUrl} alt="" className="h-[2em] max-w-[8em] object-contain" />
          ) : (
            <span className="size-[1.5em] rounded-full border-[0.25em] border-link" />
          )}
          <span className="rounded-full bg-live px-[0.625em] text-[0.75em] font-bold text-on-live">LIVE</span>
          <span className="ml-auto text-[0.875em] text-link">TV Guide</span>
        </div>
        <div className="relative isolate bg-canvas p-[1.25em]">
          <div className="absolute inset-0 -z-10 bg-(image:--theme-hero-background) bg-cover bg-center opacity-25" />
          <p className="text-[1.6em] leading-tight font-bold">On now</p>
          <p className="text-muted">The same second for everyone.</p>
          <div className="mt-[1em] flex flex-wrap gap-[0.625em] text-[0.875em] font-semibold">
            <span className="rounded-md bg-primary px-[1em] py-[0.5em] text-on-primary">Play Now</span>
            <span className="rounded-md bg-raised px-[1em] py-[0.5em]">More Info</span>
            <span className="rounded-full bg-accent px-[0.875em] py-[0.5em] text-on-accent">HD</span>
            <span className="rounded-full bg-secondary px-[0.875em] py-[0.5em] text-on-secondary">Genre</span>
          </div>
        </div>
      </div>
    </section>
  )
}
