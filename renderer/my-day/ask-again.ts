import { queryClient } from '../controls/index.ts'

/** Asks for the day once more; done when it is there. */
export const askAgain = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['my-day'] })
