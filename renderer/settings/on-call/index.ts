/** Who is on call: the ladder, the rotas, and what would happen. */
export { OnCall } from './on-call.tsx'
