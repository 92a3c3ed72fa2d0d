// Starts the language server and shows its state; all analysis is in the server.

import * as vscode from "vscode";
import {
  type Executable,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
} from "vscode-languageclient/node";
import { findServer, ServerNotFound } from "./environment";
import { StatusItem } from "./status";

const INSTALL = "pip install drano";
const RULES = ["DRN001", "DRN002", "DRN003", "DRN004", "DRN101", "DRN201", "DRN202", "DRN401"] as const;
const SELECTOR = [
  { scheme: "file", language: "cuda" },
  { scheme: "file", language: "cuda-cpp" },
  { scheme: "file", pattern: "**/*.{cu,cuh,cu.cc,cu.cpp}" },
  { scheme: "file", language: "python" },
];

let session: Session | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  session = new Session();
  context.subscriptions.push(session);
  session.register(context);
  await session.start();
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}

class Session implements vscode.Disposable {
  private readonly log = vscode.window.createOutputChannel("drano", { log: true });
  private readonly status = new StatusItem();
  private client: LanguageClient | undefined;
  /** Starts and stops follow each other, whoever asks for them. */
  private queue: Promise<void> = Promise.resolve();
  private complained = false;

  register(context: vscode.ExtensionContext): void {
    const commands: Record<string, (...args: never[]) => unknown> = {
      "drano.restart": () => this.restart(),
      "drano.showOutput": () => this.log.show(),
      "drano.showProblems": () => vscode.commands.executeCommand("workbench.actions.view.problems"),
      "drano.setBlockShape": (uri?: string, kernel?: string) => this.setBlockShape(uri, kernel),
      "drano.explainRule": () => this.explainRule(),
    };
    for (const [name, run] of Object.entries(commands)) {
      context.subscriptions.push(vscode.commands.registerCommand(name, run));
    }
    context.subscriptions.push(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("drano.command")) {
          void this.restart();
        } else if (event.affectsConfiguration("drano")) {
          void this.client?.sendNotification("workspace/didChangeConfiguration", {
            settings: settings(),
          });
        }
      }),
    );
  }

  start(): Promise<void> {
    return this.enqueue(() => this.startNow());
  }

  stop(): Promise<void> {
    return this.enqueue(() => this.stopNow());
  }

  restart(): Promise<void> {
    this.complained = false;
    return this.enqueue(async () => {
      await this.stopNow();
      await this.startNow();
    });
  }

  private enqueue(work: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(work, work);
    return this.queue;
  }

  private async startNow(): Promise<void> {
    this.status.starting();
    try {
      const found = await findServer(this.log);
      this.log.info(`starting ${found.command} ${found.arguments.join(" ")} (${found.origin})`);
      this.client = this.newClient({
        command: found.command,
        args: [...found.arguments],
        options: workingDirectory(),
      });
      await this.client.start();
      this.status.ready(this.client.initializeResult?.serverInfo?.version ?? "");
    } catch (error) {
      this.client = undefined;
      this.status.failed();
      await this.complain(error);
    }
  }

  private newClient(server: Executable): LanguageClient {
    const options: LanguageClientOptions = {
      documentSelector: SELECTOR,
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: settings(),
      markdown: { isTrusted: false, supportHtml: false },
    };
    const client = new LanguageClient("drano", "drano", server, options);
    client.onNotification("drano/status", (params: { readonly busy: boolean }) => {
      this.status.busy(params.busy);
    });
    return client;
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client !== undefined) {
      await client.dispose();
    }
  }

  /** One message, with what to do; not another one until the user has tried again. */
  private async complain(error: unknown): Promise<void> {
    this.log.error(String(error));
    if (this.complained) {
      return;
    }
    this.complained = true;
    if (!(error instanceof ServerNotFound)) {
      await vscode.window.showErrorMessage(`drano's server did not start: ${String(error)}`);
      return;
    }
    this.log.info(`looked for drano in: ${error.tried.join(", ")}`);
    const install = "Install in a Terminal";
    const configure = "Open Settings";
    const answer = await vscode.window.showWarningMessage(
      `drano is not installed in this workspace's Python environment (Python 3.11 or later). ` +
        `Run "${INSTALL}" there, or set drano.command, then restart drano's server.`,
      install,
      configure,
    );
    if (answer === install) {
      const terminal = vscode.window.createTerminal("drano");
      terminal.show();
      terminal.sendText(INSTALL, false); // the user reads it, and presses Enter
    } else if (answer === configure) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "drano.command");
    }
  }

  // --- commands

  private async setBlockShape(uri?: string, kernel?: string): Promise<void> {
    const target = uri ?? vscode.window.activeTextEditor?.document.uri.toString();
    if (target === undefined || this.client === undefined) {
      return;
    }
    const name =
      kernel ?? (await vscode.window.showInputBox({ title: "drano: name of the kernel" }));
    if (name === undefined || name === "") {
      return;
    }
    const shape = await vscode.window.showInputBox({
      title: `drano: block shape of ${name}`,
      prompt: "X[,Y[,Z]]; empty: as if nothing had been set. Launches in the source win.",
      placeHolder: "16,16",
      validateInput: (text) =>
        text === "" || /^\s*\d+\s*([,x]\s*\d+\s*){0,2}$/.test(text)
          ? undefined
          : "Expected X, X,Y or X,Y,Z",
    });
    if (shape !== undefined) {
      await vscode.commands.executeCommand("drano.applyBlockShape", target, name, shape);
    }
  }

  private async explainRule(): Promise<void> {
    const code = await vscode.window.showQuickPick([...RULES], { title: "drano: explain a rule" });
    if (code !== undefined) {
      await vscode.commands.executeCommand("drano.showRule", code);
    }
  }

  dispose(): void {
    this.status.dispose();
    this.log.dispose();
  }
}

function settings(): Record<string, unknown> {
  const given = vscode.workspace.getConfiguration("drano");
  return {
    arguments: given.get<string[]>("arguments", []),
    compileTriton: given.get<boolean | string>("compileTriton", false),
    debounce: given.get<number>("debounce", 150),
    workers: given.get<number>("workers", 2),
    inlayHints: given.get<boolean>("inlayHints", true),
    codeLenses: given.get<boolean>("codeLenses", true),
    status: true,
  };
}

function workingDirectory(): { cwd?: string } {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return folder?.scheme === "file" ? { cwd: folder.fsPath } : {};
}
