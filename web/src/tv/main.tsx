import './polyfills.ts'
import './tv.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { SWRConfig } from 'swr'
import { SWR_OPTIONS } from '../lib/api/swr-options.ts'
import { SessionProvider } from '../lib/session/session.tsx'
import { TvPage } from './tv-page.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')
createRoot(root).render(
  <StrictMode>
    <SWRConfig value={SWR_OPTIONS}>
      <SessionProvider>
        <TvPage />
      </SessionProvider>
    </SWRConfig>
  </StrictMode>,
)
