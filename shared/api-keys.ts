/** What an API key of the chat may do at the intake. `backfill` tells a past: it alone may say when something was. */
export const apiKeyScopes = ['read', 'write', 'analytics', 'backfill'] as const
export type ApiKeyScope = (typeof apiKeyScopes)[number]

export const isApiKeyScope = (name: string): name is ApiKeyScope => (apiKeyScopes as readonly string[]).includes(name)
