import { Content, List, Root, Trigger } from '@radix-ui/react-tabs'
import type { ReactNode } from 'react'

export type Tab<T extends string> = { id: T; label: string; content: ReactNode }

/** Tabs under one name; only the chosen one is in the page. */
export function Tabs<T extends string>(props: {
  label: string
  tabs: Tab<T>[]
  value: T
  onChange: (tab: T) => void
}) {
  return (
    <Root value={props.value} onValueChange={(value) => props.onChange(value as T)}>
      <List aria-label={props.label} className="flex gap-1 rounded-md bg-deep p-1">
        {props.tabs.map(({ id, label }) => (
          <Trigger
            key={id}
            value={id}
            className="lift min-h-11 flex-1 rounded-sm px-2 text-sm font-semibold text-muted hover:text-text data-[state=active]:bg-raised data-[state=active]:text-text"
          >
            {label}
          </Trigger>
        ))}
      </List>
      {props.tabs.map(({ id, content }) => (
        <Content key={id} value={id} className="pt-6" tabIndex={-1}>
          {content}
        </Content>
      ))}
    </Root>
  )
}
