import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { startNavigation } from './app/navigation.ts'
import './styles.css'

startNavigation()
const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
