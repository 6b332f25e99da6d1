import './styles/app.css'
import './lib/shell-picture.ts'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { showRememberedTheme } from './features/theme/remembered-theme.ts'
import { allowStyles } from './lib/style-nonce.ts'

allowStyles()
showRememberedTheme()
const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')
// In slices, between which a slow phone can answer a finger.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
