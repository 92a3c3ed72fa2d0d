// Where the server is: a configured command, the workspace's Python environment, or PATH.
// Nothing of the workspace is run before the user trusts it (package.json: untrustedWorkspaces).

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";

export interface ServerCommand {
  readonly command: string;
  readonly arguments: readonly string[];
  /** What the user is told about where it was found. */
  readonly origin: string;
}

/** How to install the server; `tried` are the places that were looked at. */
export class ServerNotFound extends Error {
  constructor(readonly tried: readonly string[]) {
    super("drano is not installed");
  }
}

const PROBE_SECONDS = 20;
// -P: no module from the current directory is taken for drano.
const MODULE = ["-P", "-m", "drano"] as const;

export async function findServer(log: vscode.LogOutputChannel): Promise<ServerCommand> {
  const configured = vscode.workspace.getConfiguration("drano").get<string[]>("command", []);
  const [program, ...rest] = configured;
  if (program !== undefined && program !== "") {
    return { command: program, arguments: rest, origin: "the setting drano.command" };
  }
  const tried: string[] = [];
  for (const python of await interpreters()) {
    tried.push(python);
    if (await answers(python, [...MODULE, "version"], log)) {
      return { command: python, arguments: [...MODULE, "lsp"], origin: python };
    }
  }
  tried.push("drano on PATH");
  if (await answers("drano", ["version"], log)) {
    return { command: "drano", arguments: ["lsp"], origin: "PATH" };
  }
  throw new ServerNotFound(tried);
}

/** Python interpreters of the workspace: the one chosen in the Python extension, then `.venv`. */
async function interpreters(): Promise<string[]> {
  const found: string[] = [];
  const chosen = await chosenInterpreter();
  if (chosen !== undefined) {
    found.push(chosen);
  }
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    for (const name of [".venv", "venv"]) {
      const inside =
        process.platform === "win32" ? path.join("Scripts", "python.exe") : path.join("bin", "python");
      const candidate = path.join(folder.uri.fsPath, name, inside);
      if (existsSync(candidate)) {
        found.push(candidate);
      }
    }
  }
  return [...new Set(found)];
}

interface PythonApi {
  readonly environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(environment: {
      readonly path: string;
    }): Promise<{ readonly executable?: { readonly uri?: vscode.Uri } } | undefined>;
  };
}

async function chosenInterpreter(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  if (extension === undefined) {
    return undefined;
  }
  const api = extension.isActive ? extension.exports : await extension.activate();
  const environments = api.environments;
  if (environments === undefined) {
    return undefined;
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const resolved = await environments.resolveEnvironment(
    environments.getActiveEnvironmentPath(folder),
  );
  return resolved?.executable?.uri?.fsPath;
}

function answers(
  command: string,
  args: readonly string[],
  log: vscode.LogOutputChannel,
): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(command, [...args], { timeout: PROBE_SECONDS * 1000 }, (error, stdout) => {
      const found = error === null && stdout.startsWith("drano ");
      log.info(`${command} ${args.join(" ")}: ${found ? stdout.trim() : "no drano there"}`);
      resolve(found);
    });
  });
}
