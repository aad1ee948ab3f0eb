/** Hands the page a message port to main, and nothing more. */
import { contextBridge, ipcRenderer } from 'electron'

contextBridge.exposeInMainWorld('desk', {
  post: (message: unknown) => ipcRenderer.send('desk', message),
  listen: (hear: (message: unknown) => void) => {
    ipcRenderer.on('desk', (_event, message: unknown) => hear(message))
  },
})
